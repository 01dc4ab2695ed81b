import { groupBy } from "../evidence.ts";
import type { Invariant } from "./invariant.ts";

/**
 * Each event of the log was delivered, signed, under one id and with one body; a run's events are numbered without a
 * gap; nothing is delivered that is not in the log; a stream's end is the row's. Order is not promised: a sender that
 * dies or is stopped may have tried an event first of which the receiver never heard.
 */
export const events: Invariant = {
  number: 14,
  name: "Events",
  check({ world, events, runs }) {
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
    for (const [runId, own] of groupBy(
      events.filter(({ runId }) => runId !== null),
      ({ runId }) => runId!,
    )) {
      const run = runs.get(runId);
      const seqs = own.map(({ seq }) => seq).toSorted((a, b) => a - b);
      if (seqs.some((seq, at) => seq !== at + 1) || seqs.length !== run?.eventSeq)
        violations.push(`${runId} is at event ${run?.eventSeq} and has ${seqs.join(" ")}`);
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
      checked: `${events.length} events, ${world.receiver.deliveries.length} deliveries, ${ended} of ${streams.length} streams to their end`,
      violations,
    };
  },
};
