import { expect, test } from "vitest";
import { flowGraphSchema } from "@millrace/contract/documents/graph";
import { errorPlaces } from "../../src/domain/flow/error-place.ts";
import { graphOf, node } from "./support.ts";
import { start, validate } from "./validate-support.ts";

const graph = flowGraphSchema.parse({
  nodes: [
    { id: "s", type: "start" },
    { id: "ab", type: "set", data: { inputs: { values: {} } } },
    { id: "a", type: "set", data: { label: "Greets", inputs: { values: {}, "two-words": 1 } } },
  ],
  edges: [
    { id: "e1", source: "s", target: "a" },
    { id: "e2", source: "s", target: "ab" },
  ],
});

test.each<[string, PropertyKey[]]>([
  ['Node "a" (Greets): the input "values" is required.', ["nodes", 2, "data", "inputs", "values"]],
  [
    'Node "a" (Greets): an expression in input "two-words" fails.',
    ["nodes", 2, "data", "inputs", "two-words"],
  ],
  ['Node "ab": the input "values.x.y" must be a text.', ["nodes", 1, "data", "inputs", "values"]],
  ['Node "ab": the input "gone" is required.', ["nodes", 1]],
  ['Node "ab": the input "toString" is required.', ["nodes", 1]],
  ['Node "s": the input "values" is required.', ["nodes", 0]],
  ['Node "ab": its container does not exist.', ["nodes", 1]],
  ['Edge "e2" (s → ab): its target does not exist.', ["edges", 1]],
  ['Edge "e3" (s → ab): its target does not exist.', []],
  ["Edge s → ab: its target does not exist.", []],
  ['The flow has no "start" node; add one.', []],
  ['Node "a" (Someone else): the input "values" is required.', []],
])("%s has the place %j", (error, place) => {
  expect(errorPlaces(graph)(error)).toEqual(place);
});

test("errors of validation lead to what they speak of", () => {
  const faulty = graphOf([start, node("x", "http", { url: 3 }), node("y", "nope")], "s x, s y");
  const placeOf = errorPlaces(faulty);
  const places = validate(faulty).errors.map((error) => placeOf(error).join("."));
  expect(places).toContain("nodes.1.data.inputs.url");
  expect(places).toContain("nodes.2");
});
