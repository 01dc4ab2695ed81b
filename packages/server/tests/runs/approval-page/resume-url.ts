import { describe, expect, it } from "vitest";
import { readText, startLoopbackServer } from "../../support/loopback-server.ts";
import { node } from "../../support/runs-flows.ts";
import { until } from "../../support/runs-until.ts";
import { asking, post, received, receiver, service } from "./support.ts";

describe("resume.url", () => {
  it("is there for nodes before the approval, valid before it is reached and the same afterwards", async () => {
    const seen = node("tell", "set", { values: { link: "{{ resume.url }}" } });
    const hold = node("hold", "http-request", {
      url: `${receiver.url}/hold`,
      body: { link: "{{ resume.url }}" },
    });
    received.length = 0;
    const { id, path } = await asking({}, {}, [seen, hold]);
    expect(new URL(received[0]!.body["link"] as string).pathname).toBe(path);
    const nodes = await service.get(`/api/runs/${id}/nodes`, service.key);
    const tell = nodes.body.data.find(({ nodeId }: { nodeId: string }) => nodeId === "tell");
    expect(tell.output.link).toBe(received[0]!.body["link"]);
    expect((await post(path, { decision: "approved" })).status).toBe(200);
    await service.untilEnd(id);
  });

  it("leads to a page that says so while the run has not come to it", async () => {
    let link = "";
    const early = await startLoopbackServer(async (request, response) => {
      link = JSON.parse(await readText(request)).link;
      await until("the test has looked", () => looked);
      response.end("{}");
    });
    let looked = false;
    const call = node("call", "http-request", { url: early.url, body: { link: "{{ resume.url }}" } });
    const asked = asking({}, {}, [call]);
    await until("the link is known", () => link !== "");
    const { pathname } = new URL(link);
    expect((await service.get(pathname)).body).toContain("nothing to decide yet");
    expect((await post(pathname, { decision: "approved" })).status).toBe(400);
    looked = true;
    const { path } = await asked;
    expect(path).toBe(pathname);
    expect((await service.get(path)).body).toContain("Approve</button>");
    await early.close();
  });

  it("names the round inside of a loop", async () => {
    await service.flow("flow_rounds", {
      nodes: [
        { id: "start", type: "start", data: {} },
        node("each", "for-each", { items: [1, 2] }),
        { ...node("tell", "set", { values: { link: "{{ resume.url }}" } }), parentId: "each" },
        { ...node("ask", "approval", { message: "{{ nodes.tell.link }}" }), parentId: "each" },
      ],
      edges: [
        { id: "e1", source: "start", target: "each" },
        { id: "e2", source: "tell", target: "ask" },
      ],
    });
    const id = await service.begin("flow_rounds");
    for (const round of [0, 1]) {
      const { pause } = await until("it asks", async () => {
        const { body } = await service.get(`/api/runs/${id}`, service.key);
        return body.data.pause?.nodeKey === `ask[${round}]` && body.data;
      });
      expect(pause.message).toBe(pause.resumeUrl);
      expect((await post(new URL(pause.resumeUrl).pathname, { decision: "approved" })).status).toBe(200);
    }
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
  });
});
