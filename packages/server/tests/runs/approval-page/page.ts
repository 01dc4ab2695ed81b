import { describe, expect, it } from "vitest";
import { asking, form, post, service } from "./support.ts";

describe("the page of an approval", () => {
  it("shows what is asked, by whom and until when, escaped, without script and fit for a phone", async () => {
    const { path, id, flowId } = await asking({ form, timeout: "2d", assignees: ["ada@example.com"] });
    const { status, headers, body } = await service.get(path);
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const text of [
      "Refund &lt;12&gt;?",
      flowId,
      "org_run",
      id,
      "ada@example.com",
      "How much? *",
      "Until",
    ])
      expect(body).toContain(text);
    expect(body).toContain("Why &lt;b&gt;&quot;so&quot;&lt;/b&gt;?");
    expect(body).toContain('<meta name="viewport"');
    expect(body).not.toMatch(/<script|<b>|style=| on\w+=/);
    const inputs = (body.match(/<(input|select|textarea) [^>]*>/g) as string[]).map((one) => [
      /name="data\.([^"]+)"/.exec(one)![1],
      /^<(\w+)(?: type="(\w+)")?/.exec(one)!.slice(1).join(" ").trim(),
    ]);
    expect(Object.fromEntries(inputs)).toEqual({
      amount: "input number",
      reason: "textarea",
      kind: "select",
      sure: "input checkbox",
      on: "input date",
    });
  });

  it("shows again what was filled in where that does not fit, and takes it once it does", async () => {
    const { id, path } = await asking({ form });
    const wrong = await post(path, { decision: "approved", "data.amount": "1000", "data.reason": '"><i>' });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toContain("must be at most 100");
    expect(wrong.body).toContain("is required");
    expect(wrong.body).toContain('value="1000"');
    expect(wrong.body).toContain("&quot;&gt;&lt;i&gt;</textarea>");
    const right = await post(path, {
      decision: "approved",
      "data.amount": "12.5",
      "data.kind": "part",
      "data.sure": "on",
      "data.reason": "",
      "data.extra": "x",
    });
    expect([right.status, right.body]).toEqual([200, expect.stringContaining("Thank you")]);
    expect((await service.untilEnd(id)).output).toEqual({
      decision: "approved",
      by: "link",
      data: { amount: 12.5, kind: "part", sure: true },
    });
    expect((await service.get(path)).body).toContain("decided already");
  });

  it("lets somebody reject without filling in anything", async () => {
    const { path } = await asking({ form });
    expect((await post(path, { decision: "rejected", "data.amount": "" })).status).toBe(200);
  });
});

it("a bogus link is 404, the same for GET and POST and whatever is wrong with it", async () => {
  const { id, path } = await asking({});
  const other = await asking({});
  const token = path.split("/").at(-1)!;
  const wrong = [
    `${path}x`,
    path.replace(id, other.id),
    `/app/resume/${id}/x`,
    `/app/resume/${id}/.`,
    `/app/resume/${id}/${"a".repeat(500)}`,
    `/app/resume/nonsense/${token}`,
    `/app/resume/run_${"z".repeat(24)}/${token}`,
    `/app/resume/${id}/${token.replace(".", "")}`,
  ];
  const bodies = new Set<string>();
  for (const address of wrong) {
    for (const answer of [
      await service.get(address),
      await service.send("POST", address, { body: { decision: "approved" } }),
      await service.send("POST", address, { body: "nonsense" }),
    ]) {
      expect([address, answer.status]).toEqual([address, 404]);
      bodies.add(JSON.stringify(answer.body));
    }
  }
  expect(bodies.size).toBe(1);
  expect((await service.row(id))["status"]).toBe("PAUSED");
});
