import type { Json, Policy } from "@tenrec/protocol";
import { describe, expect, inject, test } from "vitest";
import type { TestAgent } from "../vitest.worker.ts";
import { type AgentFixture, last, until, withAgent } from "./with-agent.ts";

const { web, inside } = inject("webHosts");
const [, insidePort = ""] = inside.split(":");

/** An agent that makes one call, in a network in which one server of this machine may be reached. */
function agentThat(
  call: string,
  input: Json,
  policy: Policy,
  more: Partial<TestAgent["network"]> = {},
): Promise<AgentFixture> {
  const setup = (agent: TestAgent): void => {
    agent.policy = policy;
    agent.network = { localHosts: [web], ...more };
  };
  return withAgent({ says: [[{ call, input }], [{ text: "Done." }]], setup });
}

const fetching = (url: string, policy: Policy, more?: Partial<TestAgent["network"]>): Promise<AgentFixture> =>
  agentThat("web_fetch", { url }, policy, more);

async function resultOf(agent: AgentFixture): Promise<string> {
  await agent.submit("go");
  expect(await agent.settle()).toMatchObject({ status: "done" });
  return last(await agent.events(), "tool-result").output.text;
}

const typesOf = async (agent: AgentFixture): Promise<string[]> => (await agent.events()).map(({ type }) => type);

describe("web_fetch", () => {
  test("waits for a person by default, is granted once, and leaves no effect in the journal", async () => {
    const agent = await fetching(`http://${web}/page`, {});
    await agent.submit("go");
    const status = await agent.settle();
    if (status.status !== "waiting") throw new Error(`not parked: ${status.status}`);
    expect(last(await agent.events(), "approval-request")).toMatchObject({
      permission: "network",
      detail: `web_fetch: {"url":"http://${web}/page"}`,
    });
    await agent.inside((a) => a.sessions.answer("s", status.approvalId, { approved: true }));
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(last(await agent.events(), "tool-result").output.text).toContain("title: A page");
    expect((await typesOf(agent)).filter((type) => type === "effect" || type === "approval-request")).toEqual([
      "approval-request",
    ]);
  });

  test("nobody is asked about an address that is never reached", async () => {
    expect(await resultOf(await fetching(`http://${inside}/secret`, {}))).toMatch(/^Not reached: [^]*Other spellings/);
    expect(await resultOf(await fetching("example", {}))).toMatch(/^Not reached: example: it is not a URL/);
  });

  test.each<[policy: Policy, expected: string]>([
    [{ network: "allow" }, "# Hello"],
    [{ network: "deny" }, "Not permitted"],
    [{ network: "deny", rules: [{ host: "*", verdict: "allow" }] }, "Not permitted"],
    [{ network: "deny", rules: [{ host: web, verdict: "allow" }] }, "# Hello"],
    [{ network: "allow", rules: [{ host: "127.0.0.1", verdict: "deny" }] }, "Not permitted"],
    [{ network: "allow", rules: [{ host: "https://typo", verdict: "deny" }] }, "The rule for the host"],
  ])("under %j: %s", async (policy, expected) => {
    expect(await resultOf(await fetching(`http://${web}/page`, policy))).toContain(expected);
  });

  test.each([
    `http://${inside}/secret`,
    `http://localhost:${insidePort}/secret`,
    `http://LOCALHOST.:${insidePort}/secret`,
    `http://2130706433:${insidePort}/secret`,
    `http://0x7f.1:${insidePort}/secret`,
    `http://[::ffff:127.0.0.1]:${insidePort}/secret`,
    `http://[::1]:${insidePort}/secret`,
    `http://0:${insidePort}/secret`,
    `http://someone@${inside}/secret`,
  ])("does not follow a redirect to %s", async (target) => {
    const url = `http://${web}/to?url=${encodeURIComponent(target)}`;
    expect(await resultOf(await fetching(url, { network: "allow" }))).toContain("redirects there, and");
    expect(await (await fetch(`http://${inside}/count?path=/secret`)).text()).toBe("0");
  });

  test("what was granted for one host does not reach where that one redirects to", async () => {
    const agent = await fetching(`http://${web}/to?url=${encodeURIComponent("https://other.example/")}`, {});
    await agent.submit("go");
    const status = await agent.settle();
    if (status.status !== "waiting") throw new Error(`not parked: ${status.status}`);
    await agent.inside((a) => a.sessions.answer("s", status.approvalId, { approved: true }));
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(last(await agent.events(), "tool-result").output.text).toContain(
      `GET https://other.example/ (a redirect from ${web} to another host; ask for this address itself)`,
    );
  });

  test("a name that leads into the own network is refused where names are looked up", async () => {
    const more = { resolve: async (): Promise<string[]> => ["127.0.0.1"] };
    const text = await resultOf(await fetching("http://localtest.example/", { network: "allow" }, more));
    expect(text).toContain("it leads to 127.0.0.1: it is an address for another use (loopback)");
  });

  test("pages are fetched at the same time", async () => {
    const says = [
      [
        { call: "web_fetch", input: { url: `http://${web}/page` } },
        { call: "web_fetch", input: { url: `http://${web}/echo` } },
      ],
      [{ text: "Done." }],
    ];
    const setup = (agent: TestAgent): void => {
      agent.policy = { network: "allow" };
      agent.network = { localHosts: [web] };
    };
    const agent = await withAgent({ says, setup });
    await agent.submit("go");
    expect(await agent.settle()).toMatchObject({ status: "done" });
    const results = (await agent.events()).filter((event) => event.type === "tool-result");
    expect(results.map(({ status }) => status)).toEqual(["ok", "ok"]);
  });
});

describe("curl in bash", () => {
  const bash = (command: string, policy: Policy): Promise<AgentFixture> => agentThat("bash", { command }, policy);

  test("waits for a person before its first effect, and what the line did until then is dropped", async () => {
    const agent = await bash(`echo one >> log; curl -s http://${web}/echo -d x -o out; echo two >> log`, {});
    await agent.submit("go");
    const status = await agent.settle();
    if (status.status !== "waiting") throw new Error(`not parked: ${status.status}`);
    expect(last(await agent.events(), "approval-request")).toMatchObject({
      permission: "network",
      detail: `POST http://${web}/echo`,
    });
    await expect(agent.read("/log")).rejects.toMatchObject({ code: "ENOENT" });
    await agent.inside((a) => a.sessions.answer("s", status.approvalId, { approved: true }));
    expect(await agent.settle()).toMatchObject({ status: "done" });
    expect(await agent.read("/log")).toBe("one\ntwo\n");
    expect(JSON.parse(await agent.read("/out"))).toMatchObject({ method: "POST", body: "x" });
    expect(last(await agent.events(), "effect")).toMatchObject({ kind: "network", target: `POST http://${web}/echo` });
    const types = await typesOf(agent);
    expect(types.indexOf("effect")).toBeLessThan(types.indexOf("tool-result"));
  });

  test("cannot ask any more once something was sent", async () => {
    const policy: Policy = { rules: [{ host: web, verdict: "allow" }] };
    const agent = await bash(`curl -s http://${web}/echo -o out; curl -sS https://other.example/`, policy);
    const text = await resultOf(agent);
    expect(text).toContain("it needs approval, and the call has done something already; make it a call of its own");
    expect(await agent.read("/out")).toContain("GET");
  });

  test("ends with an unknown outcome when it is cut off after it was sent", async () => {
    const agent = await bash(`curl -s http://${web}/never`, { network: "allow" });
    await agent.submit("go");
    await until(async () => (await typesOf(agent)).includes("effect"));
    await agent.inside((a) => a.sessions.abort("s"));
    expect(await agent.settle()).toMatchObject({ status: "stopped" });
    expect(last(await agent.events(), "tool-result").output.text).toContain("unknown");
  });

  test("does not follow a redirect into the own network", async () => {
    const target = encodeURIComponent(`http://localhost:${insidePort}/by-curl`);
    const text = await resultOf(await bash(`curl -sSL 'http://${web}/to?url=${target}'`, { network: "allow" }));
    expect(text).toContain("redirects there, and its host is a name of a local network");
    expect(await (await fetch(`http://${inside}/count?path=/by-curl`)).text()).toBe("0");
  });

  test("keeps a login with the host that it is for", async () => {
    const target = encodeURIComponent(`http://${inside}/echo`);
    const setup = (agent: TestAgent): void => {
      agent.policy = { network: "allow" };
      agent.network = { localHosts: [web, inside] };
    };
    const line = `curl -sL -u me:pass -H 'X-Key: k' 'http://${web}/to?url=${target}'`;
    const agent = await withAgent({ says: [[{ call: "bash", input: { command: line } }], [{ text: "Done." }]], setup });
    const text = await resultOf(agent);
    expect(text).toContain('"method":"GET"');
    expect(text).not.toMatch(/authorization|x-key/);
  });
});
