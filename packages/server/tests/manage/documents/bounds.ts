import { describe, expect, it } from "vitest";
import { key, plan, service } from "./support.ts";

describe("a body that is out of bounds", () => {
  it.each([
    ["no files", {}],
    ["an unknown key", { files: [], fiels: [] }],
    ["a text that is none", { files: [{ path: "a", text: 3 }] }],
    ["too many files", { files: Array.from({ length: 2_001 }, () => ({ path: "a", text: "" })) }],
  ])("is 400: %s", async (_what, body) => {
    const answer = await service.send("POST", "/manage/documents/plan", { key, body });
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_request_body"]);
  });

  it("is a fault for what holds more documents than can be applied at once", async () => {
    const text = Array.from(
      { length: 2_001 },
      (_, index) =>
        `kind: EventEndpoint\nid: e${index}\norganizationId: org_a\nurl: "http://a.example"\nevents: ["*"]\n`,
    ).join("---\n");
    const { status, body } = await plan({ "a.yaml": text });
    expect([status, body.data.faults[0].message]).toEqual([
      200,
      "more than 2000 documents; apply them in parts",
    ]);
  });
});

describe("other requests", () => {
  it("are served while a large document is read", async () => {
    const rows = Array.from(
      { length: 5_000 },
      (_, index) => `        k${index}: { a: [1, 2, 3], b: "text ${index}" }`,
    ).join("\n");
    const large = `kind: Flow\nid: flow_large\norganizationId: org_a\nname: L\ngraph:\n  nodes:\n    - id: start\n      type: start\n      data:\n        inputs:\n${rows.replaceAll("        k", "          k")}\n  edges: []\n`;
    const reading = plan({ "large.yaml": large });
    const isRead = reading.then(() => true);
    let served = 0;
    while ((await Promise.race([isRead, service.get("/healthz")])) !== true) served += 1;
    expect((await reading).status).toBe(200);
    expect(served).toBeGreaterThan(20);
  });
});
