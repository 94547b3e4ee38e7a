import type { Json, Policy } from "@tenrec/protocol";
import { describe, expect, inject, test } from "vitest";
import type { TestAgent } from "../vitest.worker.ts";
import { type AgentFixture, last, withAgent } from "./with-agent.ts";

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
