import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { areManyValues, ParsedBodies } from "../../src/http/parsed-bodies.ts";

/** As many as a body may have: a sixth of all the room. */
const MANY = 100_000;

let bodies: ParsedBodies;
let entered: string[];
let refused: string[];

beforeEach(() => {
  bodies = new ParsedBodies();
  entered = [];
  refused = [];
});
afterEach(() => vi.useRealTimers());

/** The answer to a body, which ends with `emit("close")`. */
function enter(name: string, caller = "user_a", values = MANY): ServerResponse {
  const answer = new EventEmitter() as ServerResponse;
  bodies.enter(caller, values, answer).then(
    () => entered.push(name),
    (error: { code: string }) => refused.push(`${name} ${error.code}`),
  );
  return answer;
}

const settled = () => new Promise(setImmediate);

describe("bodies of many values", () => {
  it("are few at once; the next begins when one was answered", async () => {
    const answers = Array.from({ length: 6 }, (_, at) => enter(String(at)));
    await settled();
    expect(entered).toEqual(["0", "1", "2", "3"]);
    answers[2]!.emit("close");
    await settled();
    expect(entered).toEqual(["0", "1", "2", "3", "4"]);
    for (const answer of answers) answer.emit("close");
    await settled();
    expect(entered).toHaveLength(6);
  });

  it("of one caller leave room for another", async () => {
    for (let at = 0; at < 20; at++) enter(String(at));
    enter("other", "user_b");
    await settled();
    expect(entered).toEqual(["0", "1", "2", "3", "other"]);
  });

  it("that are larger than all the room come in alone", async () => {
    const answer = enter("huge", "user_a", 1_000_000);
    enter("next");
    await settled();
    expect(entered).toEqual(["huge"]);
    answer.emit("close");
    await settled();
    expect(entered).toEqual(["huge", "next"]);
  });

  it("are refused where they wait for long, and take no room afterwards", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answers = Array.from({ length: 5 }, (_, at) => enter(String(at)));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(refused).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(refused).toEqual(["4 service_unavailable"]);
    for (const answer of answers) answer.emit("close");
    for (const name of ["5", "6", "7", "8"]) enter(name);
    await vi.advanceTimersByTimeAsync(0);
    expect(entered).toEqual(["0", "1", "2", "3", "5", "6", "7", "8"]);
  });

  it("wait no longer where the caller has gone", async () => {
    const answers = Array.from({ length: 6 }, (_, at) => enter(String(at)));
    answers[4]!.emit("close");
    answers[0]!.emit("close");
    await settled();
    expect(entered).toEqual(["0", "1", "2", "3", "5"]);
    expect(refused).toEqual(["4 service_unavailable"]);
  });

  it("are those that take more than 64 KB", () => {
    expect(areManyValues(1_000)).toBe(false);
    expect(areManyValues(1_200)).toBe(true);
  });
});
