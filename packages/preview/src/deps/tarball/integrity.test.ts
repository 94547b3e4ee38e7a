import { describe, expect, it } from "vitest";
import { integrityOf } from "../with-registry.ts";
import { checkIntegrity, integrityOfSha1 } from "./integrity.ts";

const BYTES = new Uint8Array(new TextEncoder().encode("foo"));

describe("checkIntegrity", () => {
  it.each(["sha512", "sha384", "sha256", "sha1"])("takes bytes with the right %s", async (algorithm) => {
    await checkIntegrity("x@1.0.0", BYTES, await integrityOf(BYTES, algorithm));
    await checkIntegrity("x@1.0.0", BYTES, `${algorithm}-AAAA ${await integrityOf(BYTES, algorithm)}?opt`);
  });

  it.each(["sha512-AAAA", "sha1-AAAA", "md5-rL0Y20zC+Fzt72VPzMSk2A==", "", "sha512-"])(
    "refuses %s",
    async (integrity) => {
      const checking = checkIntegrity("x@1.0.0", BYTES, integrity);
      await expect(checking).rejects.toMatchObject({ code: "package-damaged", data: { package: "x@1.0.0" } });
    },
  );

  it("goes by the strongest alone", async () => {
    const both = `${await integrityOf(BYTES, "sha1")} sha512-AAAA`;
    await expect(checkIntegrity("x@1.0.0", BYTES, both)).rejects.toMatchObject({ code: "package-damaged" });
  });
});

describe("integrityOfSha1", () => {
  it("is the integrity of the same hash", async () => {
    expect(integrityOfSha1("0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33")).toBe(await integrityOf(BYTES, "sha1"));
    expect(integrityOfSha1("0beec7")).toBeUndefined();
    expect(integrityOfSha1(undefined)).toBeUndefined();
  });
});
