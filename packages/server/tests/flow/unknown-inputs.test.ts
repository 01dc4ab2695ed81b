import { expect, test } from "vitest";
import { z } from "zod";
import type { NodeCatalogue } from "../../src/domain/flow/catalogue.ts";
import { unknownInputs } from "../../src/domain/flow/validation/unknown-inputs.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { catalogue, graphOf, node } from "./support.ts";

const attachment = z.object({ name: z.string(), content: z.unknown() });
const send = {
  ...catalogue.get("set")!,
  type: "send",
  inputs: z.object({
    to: z.string(),
    attachments: z.array(attachment).optional(),
    options: z.strictObject({ retries: z.number() }).nullable(),
    prepared: z.preprocess((value) => value, attachment),
    headers: z.record(z.string(), z.unknown()),
    open: z.looseObject({ attachment }),
  }),
};
const types: NodeCatalogue = new Map([...catalogue, ["send", send]]);

function foundIn(inputs: Record<string, unknown>, type = "send", known = types): string[] {
  const graph = graphOf([node("s", "start", { anything: { at: "all" } }), node("x", type, inputs)]);
  return finishSliced(unknownInputs(graph, known)).map(
    ({ path, message }) => `${path.slice(0, 5).join(".")} ${path.slice(5).join(".")}: ${message}`,
  );
}
const at = "graph.nodes.1.data.inputs";

test("a misspelt input is found, and the one that was probably meant", () => {
  expect(foundIn({ to: "a", atachments: [] })).toEqual([
    `${at} atachments: unknown input "atachments"; did you mean "attachments"?`,
  ]);
});

test("a misspelt key is found inside of lists, of what may be left out or null, and of what is prepared", () => {
  const inputs = {
    attachments: [{ name: "a" }, { nam: "b" }, "{{ data.file }}"],
    options: { retrys: 1 },
    prepared: { name: "a", contents: "c" },
  };
  expect(foundIn(inputs)).toEqual([
    `${at} attachments.1.nam: unknown key "nam"; did you mean "name"?`,
    `${at} options.retrys: unknown key "retrys"; did you mean "retries"?`,
    `${at} prepared.contents: unknown key "contents"; did you mean "content"?`,
  ]);
});

test("where any key may stand none is misspelt, but those below it that are known are looked at", () => {
  expect(foundIn({ headers: { whatever: { x: 1 } }, open: { more: 1, attachment: { nme: 1 } } })).toEqual([
    `${at} open.attachment.nme: unknown key "nme"; did you mean "name"?`,
  ]);
});

test("what is no object or list, or the other of the two, is left to the check of its type", () => {
  expect(foundIn({ attachments: { nam: 1 }, options: [{ retrys: 1 }], prepared: null, open: "x" })).toEqual(
    [],
  );
});

test("a node of an unknown type, or that states nothing, has none", () => {
  expect(foundIn({ urll: 1 }, "nope")).toEqual([]);
  const bare = graphOf([{ id: "x", type: "send" }]);
  expect(finishSliced(unknownInputs(bare, types))).toEqual([]);
});

test("the types of the service are looked through", () => {
  expect(foundIn({ url: "https://a.example", mehtod: "GET" }, "http-request", nodeTypes)).toEqual([
    `${at} mehtod: unknown input "mehtod"; did you mean "method"?`,
  ]);
});

test("of very many the first are told", () => {
  const inputs = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`unknown_${at}`, 1]));
  expect(foundIn(inputs)).toHaveLength(100);
});
