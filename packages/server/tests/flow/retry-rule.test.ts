import { describe, expect, it } from "vitest";
import { defaultRetryOn, isRetriedOn, retryOnFault } from "../../src/domain/flow/retry-rule.ts";
import { around, validate } from "./validate-support.ts";
import { node } from "./support.ts";

const status = (code: number) => ({ name: "HttpStatusUnexpected", status: code });

describe("without retry.on a node is tried again", () => {
  it.each([
    "ConnectFailed",
    "NameNotFound",
    "HttpTimeout",
    "NodeTimeout",
    "ModelRateLimited",
    "DatabaseBusy",
    "SandboxLost",
  ])("after %s", (name) => expect(isRetriedOn(defaultRetryOn, { name })).toBe(true));
  it.each([408, 425, 429, 500, 502, 503, 599])("after the status %i", (code) =>
    expect(isRetriedOn(defaultRetryOn, status(code))).toBe(true),
  );
  it.each([301, 400, 401, 402, 403, 404, 409, 422, 451])("not after the status %i", (code) =>
    expect(isRetriedOn(defaultRetryOn, status(code))).toBe(false),
  );
  it.each(["CodeError", "QueryFailed", "MailRefused", "AddressRefused", "ModelKeyRefused", "constructor"])(
    "not after %s",
    (name) => expect(isRetriedOn(defaultRetryOn, { name })).toBe(false),
  );
  it("after what says of itself that it may pass", () =>
    expect(isRetriedOn(defaultRetryOn, { name: "FlowFailed", mayPass: true })).toBe(true));
});

describe("with retry.on it is tried again after what that names alone:", () => {
  it.each([
    [["any"], { name: "CodeError" }, true],
    [["CodeError"], { name: "CodeError" }, true],
    [["timeout"], { name: "ConnectFailed" }, false],
    [["connect"], { name: "ConnectFailed" }, true],
    [[503], status(503), true],
    [["503"], status(503), true],
    [["4xx"], status(402), true],
    [["4xx"], status(503), false],
    [["connect"], status(503), false],
    [["connect"], { name: "FlowFailed", mayPass: true }, false],
    [[], { name: "ConnectFailed" }, false],
  ])("%j after %j: %s", (on, failure, expected) => expect(isRetriedOn(on, failure)).toBe(expected));

  it("and nonsense in it is a fault of the document", () => {
    for (const entry of ["any", "connect", 503, "5xx", "QueryFailed"])
      expect(retryOnFault(entry)).toBeUndefined();
    for (const entry of ["sometimes", "6xx", 42, ""]) expect(retryOnFault(entry)).toMatch(/^retry\.on holds/);
    const x = node("x", "set", { values: {} }, { retry: { on: ["5xx", "never"] } });
    expect(validate(around(x)).errors.join()).toMatch(
      /Node "x": retry\.on holds "never"; use connect, timeout/,
    );
  });
});
