import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startNode } from "../support/children.ts";
import type { Figure } from "../support/figures.ts";
import { freePort } from "../support/free-port.ts";
import { runLoad } from "../support/load.ts";
import type { Bench, Section } from "../support/section.ts";
import { install } from "../support/service.ts";
import { median } from "../support/statistics.ts";
import { organization, ORGANIZATION } from "../support/workspace.ts";

const CONNECTIONS = 64;
const BARE_ROUTE = fileURLToPath(import.meta.resolve("../bare-route.ts"));

export const validate: Section = {
  name: "validate",
  summary: "requests a second of GET /api/auth/validate with rate limiting on, against a bare Fastify route",
  async run({ cluster, seconds, rounds, profileDirectory, progress }: Bench): Promise<Figure[]> {
    const barePort = await freePort();
    const bare = startNode(BARE_ROUTE, [String(barePort)]);
    await once(bare.process.stdout!, "data");
    const service = await install(cluster, "validate_service", { profileDirectory });
    await service.apply([organization(ORGANIZATION)]);
    const key = await service.createKey(ORGANIZATION);
    // Counted, but never reached.
    const { port } = await service.start("start", { MILLRACE_REQUESTS_PER_MINUTE: "1000000000" });
    const load = async (at: number, length: number): Promise<number> => {
      const requests = [
        { method: "GET", path: "/api/auth/validate", headers: { authorization: `Bearer ${key}` } },
      ];
      return (await runLoad({ port: at, requests, connections: CONNECTIONS, seconds: length })).perSecond;
    };
    const measured = { bare: [] as number[], service: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      // The first round only warms up.
      const length = round === 0 ? Math.min(2, seconds) : seconds;
      const [one, other] = [await load(barePort, length), await load(port, length)];
      progress(`round ${round}: bare ${Math.round(one)}/s, service ${Math.round(other)}/s`);
      if (round === 0) continue;
      measured.bare.push(one);
      measured.service.push(other);
    }
    await service.remove();
    await bare.stop();
    const figure = { name: "GET /api/auth/validate, 64 connections", unit: "/s", bar: { least: 0.6 } };
    return [{ ...figure, service: median(measured.service), reference: median(measured.bare) }];
  },
};
