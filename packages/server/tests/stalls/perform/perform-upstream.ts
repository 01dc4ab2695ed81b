import { setTimeout as sleep } from "node:timers/promises";
import { makeSigningSecret } from "../../../src/domain/events/signature.ts";
import { secretPlace } from "../../../src/domain/secret-place.ts";
import { deleteEventEndpoint } from "../../../src/storage/catalogue/delete-event-endpoint.ts";
import { putEventEndpoint } from "../../../src/storage/catalogue/put-event-endpoint.ts";
import { SecretBox } from "../../../src/storage/secret-box.ts";
import type { Arena, Round } from "../arena/arena.ts";
import type { Outcome, UpstreamDeed } from "../case.ts";
import { ORGANIZATION, SECRET_KEY, urlOf } from "../arena/stalls-workspace.ts";
import { triggerAll } from "./trigger-all.ts";

const MAX_DELIVERY_MS = 5_000;
const MAX_REPLY_MS = 8_000;
let made = 0;

/** Lets a node, an agent or an event endpoint meet a server that follows the script. */
export async function performUpstream(arena: Arena, round: Round, deed: UpstreamDeed): Promise<Outcome> {
  const { protocol, script } = deed;
  const server = arena.upstreams[protocol];
  server.follow(script);
  try {
    if (protocol === "chat") return await chat(round);
    if (protocol === "events") return await deliver(arena, round);
    return await triggerAll(round, `flow_${protocol}`, {}, 1);
  } finally {
    server.follow({ replies: [], end: "close" });
  }
}

/** An endpoint of its own, so that no other case's failures hold it back. */
async function deliver(arena: Arena, round: Round): Promise<Outcome> {
  const server = arena.upstreams.events;
  const id = `endpoint_${++made}`;
  const place = secretPlace(ORGANIZATION, "event-endpoint", id);
  await putEventEndpoint(round.db, {
    organizationId: ORGANIZATION,
    id,
    url: urlOf(server, "/"),
    events: ["run.failed"],
    secretCiphertext: new SecretBox(SECRET_KEY).seal(place, makeSigningSecret()),
  });
  const outcome = await triggerAll(round, "flow_events", {}, 1);
  const endAtMs = performance.now() + MAX_DELIVERY_MS;
  while (server.connections === 0 && performance.now() < endAtMs && !arena.hasEnded()) await sleep(20);
  await sleep(200);
  await deleteEventEndpoint(round.db, ORGANIZATION, id);
  return { ...outcome, notes: [...outcome.notes, `${server.connections} deliveries`] };
}

async function chat({ service, workspace }: Round): Promise<Outcome> {
  const headers = { authorization: `Bearer ${workspace.key}`, "content-type": "application/json" };
  const sessions = `${service.address}${workspace.paths["sessions"]}`;
  try {
    const answer = await fetch(sessions, { method: "POST", headers, body: "{}" });
    const { data } = (await answer.json()) as { data: { sessionId: string } };
    const reply = await fetch(`${sessions}/${data.sessionId}/messages`, {
      method: "POST",
      headers: { ...headers, accept: "text/event-stream" },
      body: JSON.stringify({ message: "Hello" }),
      signal: AbortSignal.timeout(MAX_REPLY_MS),
    });
    return { faults: [], notes: [`a reply of ${(await reply.text()).length} characters`] };
  } catch (error) {
    // A reply may take its time; whoever asked goes away.
    return { faults: [], notes: [(error as Error).name] };
  }
}
