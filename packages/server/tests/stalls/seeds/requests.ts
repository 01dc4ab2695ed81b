import type { Case } from "../case.ts";
import type { Recipe } from "../recipes.ts";

/** Bodies that took longer to read than to send. */
export const requestSeeds: readonly Case[] = [
  ...["{guess}", "{resume}", "{webhook}"].flatMap((target): Case[] =>
    ["a&", "a=&", "%61=b&", "a%5B%5D=1&"].map((repeat) => ({
      kind: "forms",
      name: `a form of one name, ${repeat} to ${target}`,
      action: "request",
      method: "POST",
      target,
      headers: [["content-type", ["application/x-www-form-urlencoded"]]],
      body: [{ repeat, times: Math.floor(1_000_000 / repeat.length) }],
    })),
  ),

  ...(["trigger", "webhook"] as const).map((way): Case => {
    const data: Recipe = { $keys: "k", times: way === "trigger" ? 240_000 : 85_000, value: 1 };
    return {
      kind: "payloads",
      name: `very many keys by ${way}`,
      action: "request",
      method: "POST",
      target: way === "trigger" ? "/api/runs" : "{webhook}",
      headers: [["content-type", ["application/json"]]],
      body: [{ json: way === "trigger" ? { payload: { flowId: "flow_hello", data } } : data }],
    };
  }),

  {
    kind: "payloads",
    name: "a flow whose nodes have very many keys that are not known",
    action: "request",
    method: "POST",
    target: "/manage/flows",
    headers: [["content-type", ["application/json"]]],
    body: [
      {
        json: {
          name: "n",
          graph: { nodes: { $list: { $keys: "k", times: 4_000, value: 1 }, times: 20 }, edges: [] },
        },
      },
    ],
  },

  ...["a: 1\\n", "- a\\n", "b: &a [*a, *a]\\n"].map((repeat): Case => ({
    kind: "documents",
    name: `a document that takes 200 times as much memory as it is long, ${repeat}`,
    action: "request",
    method: "POST",
    target: "/manage/documents/plan",
    headers: [["content-type", ["application/json"]]],
    body: ['{"files":[{"path":"a.yaml","text":"a: &a [1]\\n', { repeat, times: 400_000 }, '"}]}'],
  })),

  ...(["{webhook}", "/api/runs"] as const).map((target): Case => ({
    kind: "payloads",
    name: `a body in chunks of one byte to ${target}`,
    action: "request",
    method: "POST",
    target,
    headers: [["content-type", ["application/json"]]],
    body: ['{"a":"', { repeat: "a", times: 1_000_000 }, '"}'],
    chunkBytes: 1,
  })),
];
