import { afterAll, describe, expect, it } from "vitest";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import { errorOf, outputOf } from "./run-node.ts";

const sandbox = createSandbox();
const services = { sandbox };

afterAll(() => sandbox.close());

describe("code", () => {
  it("answers the returned object, and anything else as a value", async () => {
    const source = "return { sum: input.a + input.b };";
    expect(await outputOf("code", { source, input: { a: 1, b: 2 } }, { services })).toEqual({ sum: 3 });
    expect(await outputOf("code", { source: "return [1, 2];" }, { services })).toEqual({ value: [1, 2] });
    expect(await outputOf("code", { source: "const unused = 1;" }, { services })).toEqual({ value: null });
  });

  it("keeps what the code logs, also when it fails", async () => {
    const logs: string[] = [];
    const log = (line: string) => logs.push(line);
    await outputOf("code", { source: 'console.log("one");' }, { services, log });
    const error = await errorOf(
      "code",
      { source: 'console.log("two"); throw new Error("bad input");' },
      { services, log },
    );
    expect(error.name).toBe("CodeError");
    expect(error.message).toContain("bad input");
    expect(logs).toEqual(["one", "two"]);
  });

  it("reaches nothing of the service", async () => {
    const source = "return [typeof process, typeof require, typeof fetch, typeof setTimeout];";
    const { value } = await outputOf("code", { source }, { services });
    expect(value).toEqual(["undefined", "undefined", "undefined", "undefined"]);
  });

  it.each([
    ["one text", "return 'x'.repeat(4_990_000);"],
    ["many rows", "return Array.from({ length: 40_000 }, (_, at) => ({ at, text: 'y'.repeat(90) }));"],
  ])("may answer 5 MB: %s", async (_what, source) => {
    const { value } = await outputOf("code", { source, input: "z".repeat(4_990_000) }, { services });
    expect(JSON.stringify(value).length).toBeGreaterThan(4_500_000);
  });

  it("is given the time that it asks for, 30 seconds at most", async () => {
    const error = await errorOf("code", { source: "for (;;) {}", timeoutMs: 60 }, { services });
    expect(error.message).toContain("more than 60 ms of processor time");
    const inputs = nodeTypes.get("code")!.inputs;
    expect(inputs.safeParse({ source: "1", timeoutMs: 30_000 }).success).toBe(true);
    expect(inputs.safeParse({ source: "1", timeoutMs: 30_001 }).success).toBe(false);
  });

  it("is ended when it does not end", async () => {
    expect((await errorOf("code", { source: "for (;;) {}" }, { services })).name).toBe("CodeTimeout");
  });

  it("stops when it is aborted", async () => {
    const controller = new AbortController();
    const failure = errorOf("code", { source: "for (;;) {}" }, { services, signal: controller.signal });
    controller.abort(new Error("canceled"));
    expect((await failure).message).toBe("canceled");
  });
});
