import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { collect, gate, startChat } from "./support.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("ends a reply that falls silent although memory was cleaned up meanwhile", async () => {
  const never = gate();
  const chat = await startChat({
    settings: { reply: { betweenOutputsMs: 1_500 } },
    upstream: () => ({ text: "one two", beforeChunk: (index) => (index === 1 ? never.opened : undefined) }),
  });
  try {
    const open = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const stream = await chat.stream("agent_model", await chat.createSession("agent_model"), "hi");
        await stream.events.next();
        await stream.events.next();
        return stream;
      }),
    );
    for (let round = 0; round < 3; round++) {
      collectGarbage();
      await new Promise(setImmediate);
    }
    const ends = await Promise.all(open.map(async (stream) => (await collect(stream)).at(-1)!.data!.type));
    expect(ends).toEqual(Array(10).fill("error"));
  } finally {
    never.open();
    await chat.stop();
  }
});
