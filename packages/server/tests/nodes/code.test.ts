import { afterAll, describe, expect, it } from "vitest";
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
