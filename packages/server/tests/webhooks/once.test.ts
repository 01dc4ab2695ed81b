import { Agent, request } from "undici";
import { expect, it } from "vitest";
import { startWebhookService } from "./webhook-service.ts";

it(
  "a thousand posts with one idempotency key over twenty sockets start one run",
  { timeout: 60_000 },
  async () => {
    const service = await startWebhookService();
    const agent = new Agent({ connections: 20, pipelining: 1 });
    try {
      const path = await service.addWebhook("flow_once");
      const posts = Array.from({ length: 1_000 }, async (_, at) => {
        const { statusCode, body } = await request(service.address + path, {
          dispatcher: agent,
          method: "POST",
          headers: { "content-type": "application/json", "x-idempotency-key": "the-one" },
          body: JSON.stringify({ at }),
        });
        return { status: statusCode, text: await body.text() };
      });
      const answers = await Promise.all(posts);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await service.countRuns()).toBe(1);
    } finally {
      await agent.close();
      await service.stop();
    }
  },
);
