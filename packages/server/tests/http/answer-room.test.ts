import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { AnswerRoom } from "../../src/http/answer-room.ts";

const PLACE = 65_536;

let room: AnswerRoom;
let entered: string[];
let refused: string[];

beforeEach(() => {
  room = new AnswerRoom({ maxBytes: 8 * PLACE, maxWaitingBytes: 4 * PLACE, greed: 1 });
  entered = [];
  refused = [];
});

/** The answer, which ends with `emit("close")`. */
function enter(name: string, places: number, caller = "user_a"): ServerResponse {
  const answer = new EventEmitter() as ServerResponse;
  room.enter(caller, places * PLACE, answer).then(
    () => entered.push(name),
    () => refused.push(name),
  );
  return answer;
}

const settled = () => new Promise(setImmediate);

describe("room for answers where few may wait", () => {
  it("refuses at once whoever may not wait, and takes those who did in their order", async () => {
    const [first] = [enter("first", 4), enter("second", 2), enter("third", 2)];
    await settled();
    expect(entered).toEqual(["first"]);
    expect(refused).toEqual(["third"]);
    first.emit("close");
    await settled();
    expect(entered).toEqual(["first", "second"]);
  });

  it("leaves another caller as much as it has left", async () => {
    for (let at = 0; at < 10; at += 1) enter(`a${at}`, 2);
    enter("b", 2, "user_b");
    await settled();
    expect(entered).toEqual(["a0", "a1", "b"]);
  });

  it("lets in what is larger than may wait where there is room", async () => {
    enter("large", 8);
    await settled();
    expect(entered).toEqual(["large"]);
  });

  it("has room again for whoever gave up waiting, and none for whoever has gone before", async () => {
    const first = enter("first", 4);
    enter("second", 2).emit("close");
    enter("third", 2);
    const gone = Object.assign(new EventEmitter(), { destroyed: true }) as unknown as ServerResponse;
    await expect(room.enter("user_b", PLACE, gone)).rejects.toMatchObject({ code: "service_unavailable" });
    first.emit("close");
    await settled();
    expect(entered).toEqual(["first", "third"]);
    expect(refused).toEqual(["second"]);
  });
});
