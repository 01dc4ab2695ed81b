import { describe, expect, it } from "vitest";
import { withSources } from "../../src/operations/apply-documents/source-reader.ts";

const organization = (id: string) => `{"kind":"Organization","id":"${id}","name":"${id}"}`;
const file = (text: string) => [{ file: "a.json", text }];
/** Reads what is right, however long. */
const large = (megabytes: number) =>
  file(organization("org_a") + " ".repeat(Math.ceil(megabytes * 1_048_576)));
const ids = (text: string) =>
  withSources("ada", file(text), async ({ documents }) => documents.map(({ document }) => document.id));

describe("a process that reads documents", () => {
  it("forgets what it has read before it reads for the next", async () => {
    expect(await ids(organization("org_a"))).toEqual(["org_a"]);
    expect(await ids(organization("org_b"))).toEqual(["org_b"]);
    const faults = await withSources("ada", file(organization("org_c")), async ({ documents }) =>
      documents[0]!.fault({ path: ["name"], message: "no" }),
    );
    expect(faults).toMatchObject({ file: "a.json", line: 1, path: "name", message: "no" });
  });

  it("is not started for a second long text, while short ones are read", async () => {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = withSources("ada", large(5), async () => {
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    const work = async () => "read";
    await expect(withSources("bob", large(1), work)).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await withSources("bob", large(0.2), work)).toBe("read");
    held.resolve();
    await first;
    expect(await withSources("bob", large(1), work)).toBe("read");
  });

  it("reads no YAML that would take gigabytes, and says so", async () => {
    const bomb = [{ file: "b.yaml", text: "a: 1\n".repeat(400_000) }];
    expect(await withSources("ada", bomb, async ({ faults }) => faults)).toEqual([
      {
        file: "b.yaml",
        line: 1,
        column: 1,
        path: "",
        message: "is too much YAML for one file; split it, or write it as JSON",
      },
    ]);
  });
});
