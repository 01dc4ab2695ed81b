import { groupBy } from "../evidence.ts";
import { pathToTell } from "../told-path.ts";
import { ORGANIZATIONS } from "../workspace.ts";
import type { Invariant } from "./invariant.ts";

const listening = new Set(ORGANIZATIONS.filter(({ listens }) => listens).map(({ id }) => id));

/**
 * Each event of the log was delivered, signed, under one id and with one body; a run's events are numbered without a
 * gap and tell its whole path, whoever made it; nothing is delivered that is not in the log; a stream's end is the row's.
 * Order is not promised: a sender that dies or is stopped may have tried an event first of which the receiver never heard.
 */
export const events: Invariant = {
  number: 14,
  name: "Events",
  check({ world, events, runs, moves }) {
    const violations: string[] = [];
    const tries = groupBy(world.receiver.deliveries, ({ webhookId }) => webhookId);
    const logged = new Set(events.map(({ id }) => id));
    if (logged.size !== events.length) violations.push(`${events.length} events share ${logged.size} ids`);
    for (const { id, type, organizationId } of events) {
      const own = tries.get(id) ?? [];
      if (!own.some(({ answered }) => answered === 204))
        violations.push(`${id} (${type}) was never delivered`);
      if (own.some(({ signed }) => !signed)) violations.push(`${id} (${type}) came with a wrong signature`);
      if (new Set(own.map(({ body }) => body)).size > 1)
        violations.push(`${id} (${type}) came with different bodies`);
      if (own.some((delivery) => delivery.organizationId !== organizationId))
        violations.push(`${id} of ${organizationId} went to another organization`);
    }
    for (const id of tries.keys())
      if (!logged.has(id)) violations.push(`${id} was delivered and is not in the log`);
    const ofRuns = groupBy(
      events.filter(({ runId }) => runId !== null).toSorted((a, b) => a.seq - b.seq),
      ({ runId }) => runId!,
    );
    let told = 0;
    for (const { id, organizationId, eventSeq, answeredQueued } of runs.values()) {
      const own = ofRuns.get(id) ?? [];
      if (own.some(({ seq }, at) => seq !== at + 1) || own.length !== eventSeq)
        violations.push(`${id} is at event ${eventSeq} and has ${own.map(({ seq }) => seq).join(" ")}`);
      if (!listening.has(organizationId)) continue;
      const path = pathToTell(moves.get(id) ?? [], answeredQueued).join(" ");
      const types = own.map(({ type }) => type).filter((type) => type !== "queue.item_canceled");
      if (types.join(" ") !== path) violations.push(`${id} went ${path} and told ${types.join(" ")}`);
      told += 1;
    }
    const { streams } = world.load;
    for (const { runId, completed, faults } of streams) {
      const status = runs.get(runId)?.status;
      for (const told of completed)
        if (told !== status) violations.push(`a stream of ${runId} ended ${told}; it is ${status}`);
      for (const fault of faults) violations.push(`a stream of ${runId}: ${fault}`);
    }
    const ended = streams.filter(({ completed }) => completed.length > 0).length;
    return {
      checked: `${events.length} events, the paths of ${told} runs, ${world.receiver.deliveries.length} deliveries, ${ended} of ${streams.length} streams to their end`,
      violations,
    };
  },
};
