import * as fc from "fast-check";
import { expect } from "vitest";
import { answerApproval, answerDueWaits } from "../../../src/storage/runs/answer-waits.ts";
import { admitRuns, toAdmit } from "../../../src/storage/runs/admit-runs.ts";
import { cancelRun } from "../../../src/storage/runs/cancel-run.ts";
import { checkpointRuns } from "../../../src/storage/runs/checkpoint-runs.ts";
import { dispatchRuns } from "../../../src/storage/runs/dispatch-runs.ts";
import { finishRuns } from "../../../src/storage/runs/finish-runs.ts";
import { beginWaits } from "../../../src/storage/runs/begin-waits.ts";
import { pauseRun } from "../../../src/storage/runs/pause-run.ts";
import { reapRuns } from "../../../src/storage/runs/reap-runs.ts";
import { releaseRuns } from "../../../src/storage/runs/release-runs.ts";
import { retryRun } from "../../../src/storage/runs/retry-run.ts";
import { timeOutRuns } from "../../../src/storage/runs/time-out-runs.ts";
import { wakeDelayedRuns } from "../../../src/storage/runs/wake-delayed-runs.ts";
import { claimReady, newRun } from "../../support/runs-storage.ts";
import { hashOf, type RealRuns } from "./real-runs.ts";
import { CREDITS_A_RUN, MAX_DURATION_MS, type RunModel, type View } from "./run-model.ts";

type Command = fc.AsyncCommand<RunModel, RealRuns>;
type Step = (model: RunModel, real: RealRuns) => Promise<void>;

/** A step, and after it everything that must hold. */
function command(name: string, step: Step, possible: (model: RunModel) => boolean = () => true): Command {
  return {
    check: possible,
    async run(model, real) {
      await step(model, real);
      await real.check(model);
    },
    toString: () => name,
  };
}

const hasRuns = (model: RunModel) => model.runs.length > 0;
const views = (model: RunModel) =>
  model.workers.flatMap(({ views: own }, worker) => own.map((view) => ({ worker, view })));
const hasViews = (model: RunModel) => views(model).length > 0;

/** Whichever of the views there are at that moment; often an old one. */
function withView(
  name: string,
  at: number,
  step: (model: RunModel, real: RealRuns, view: View, worker: number) => Promise<void>,
): Command {
  const work: Step = (model, real) => {
    const all = views(model);
    const { view, worker } = all[all.length - 1 - (at % all.length)]!;
    return step(model, real, view, worker);
  };
  return command(`${name}(${at})`, work, hasViews);
}

function withRun(
  name: string,
  at: number,
  step: (model: RunModel, real: RealRuns, id: string) => Promise<void>,
): Command {
  const work: Step = (model, real) => step(model, real, model.runs[at % model.runs.length]!.id);
  return command(`${name}(${at})`, work, hasRuns);
}

const worker = fc.nat({ max: 2 });
const index = fc.nat({ max: 12 });
const anyNode = fc.constantFrom("a", "b");

const trigger = fc
  .record({
    key: fc.option(fc.constantFrom("k1", "k2", "k3"), { nil: undefined, freq: 2 }),
    delayMs: fc.constantFrom(0, 0, 0, 20_000),
    maxAttempts: fc.constantFrom(1, 3),
    claimer: fc.option(worker, { nil: undefined }),
  })
  .map((asked) =>
    command(`trigger(${JSON.stringify(asked)})`, async (model, real) => {
      const run = newRun({
        delayMs: asked.delayMs,
        maxAttempts: asked.maxAttempts,
        maxDurationMs: MAX_DURATION_MS,
        credits: CREDITS_A_RUN,
        ...(asked.key !== undefined && {
          idempotency: { scope: "api:flow_one", keyHash: hashOf(asked.key) },
        }),
      });
      const [admission] = await admitRuns(real.pool, {
        organizationId: real.organizationId,
        processId: real.processes[asked.claimer ?? 0]!,
        claim: asked.claimer === undefined ? 0 : 1,
        queueKnown: undefined,
        again: false,
        runs: [toAdmit(run)],
      });
      expect(admission?.outcome).toBe(model.trigger(run.id, asked));
      if (admission?.outcome === "replayed") expect(admission.runId).toBe(model.keys.get(asked.key!));
    }),
  );

const claim = worker.map((at) =>
  command(`claim(${at})`, async (model, real) => {
    const runs = await claimReady(real.pool, real.processes[at]!, 2);
    expect(runs.map(({ id }) => id).toSorted()).toEqual(model.claim(at, 2).toSorted());
    for (const { id, epoch } of runs) expect(epoch).toBe(model.run(id).epoch);
  }),
);

const dispatch = fc.tuple(worker, fc.nat({ max: 2 })).map(([at, most]) =>
  command(`dispatch(${at}, ${most})`, async (model, real) => {
    const runs = await dispatchRuns(real.pool, real.organizationId, real.processes[at]!, most);
    expect(runs.map(({ id }) => id).toSorted()).toEqual(model.dispatch(at, most).toSorted());
  }),
);

const checkpoint = fc.tuple(index, anyNode).map(([at, node]) =>
  withView(`checkpoint ${node}`, at, async (model, real, { id, epoch }) => {
    const records = [{ nodeKey: node, nodeId: node }];
    const [kept] = await checkpointRuns(real.pool, [
      { organizationId: real.organizationId, runId: id, epoch, records, isNew: true },
    ]);
    expect(kept).toBe(model.checkpoint({ id, epoch }, node));
  }),
);

const finish = fc
  .tuple(index, fc.constantFrom("COMPLETED" as const, "FAILED" as const), fc.nat({ max: 4 }))
  .map(([at, status, cost]) =>
    withView(`finish ${status}`, at, async (model, real, { id, epoch }) => {
      const [result] = await finishRuns(real.pool, [
        { organizationId: real.organizationId, id, epoch, status, output: {}, nodes: [], cost },
      ]);
      expect(result?.finished).toBe(model.finish({ id, epoch }, status, cost));
    }),
  );

const retry = index.map((at) =>
  withView("retry", at, async (model, real, { id, epoch }) => {
    const again = { organizationId: real.organizationId, id, epoch, delayMs: 10_000, records: [] };
    expect(await retryRun(real.pool, again)).toBe(model.retry({ id, epoch }, 10_000));
  }),
);

/** Often for what it has waited for before: the answer may be there already. */
const pause = fc.tuple(index, anyNode, fc.boolean(), fc.boolean()).map(([at, fresh, approval, again]) =>
  withView(`pause for ${again ? "the same" : fresh}`, at, async (model, real, { id, epoch }) => {
    const nodeKey = (again && model.run(id).waits.keys().next().value) || fresh;
    const dueMs = approval ? undefined : model.nowMs + 10_000;
    const kind = approval ? "approval" : "wait";
    const wait = { nodeKey, nodeId: nodeKey, kind, attempt: 1, ...(dueMs && { untilMs: dueMs }) } as const;
    const { organizationId } = real;
    await beginWaits(real.pool, organizationId, [{ ...wait, runId: id, epoch }]);
    const paused = await pauseRun(real.pool, { organizationId, id, epoch, records: [], waits: [wait] });
    expect(paused).toBe(model.pause({ id, epoch }, nodeKey, { kind, dueMs, answered: false }));
  }),
);

const release = index.map((at) =>
  withView("release", at, async (model, real, { id, epoch }, by) => {
    const { organizationId } = real;
    const released = await releaseRuns(real.pool, real.processes[by]!, [{ organizationId, id, epoch }]);
    expect(released === 1).toBe(model.release({ id, epoch }, by));
  }),
);

async function answerOne(model: RunModel, real: RealRuns, runId: string): Promise<void> {
  const name = model.askedFor(runId);
  const given = { organizationId: real.organizationId, runId, name, answer: { decision: "approved" } };
  expect((await answerApproval(real.pool, given)).answered !== null).toBe(model.answer(runId, name));
}

const answer = index.map((at) => withRun("answer", at, answerOne));

/** Runs that ask or have asked. The answer may come twice, and the run goes on from it where there is a slot. */
const goOn = fc.tuple(index, worker, fc.boolean()).map(([at, by, twice]) =>
  command(
    `go on(${at}, ${by}${twice ? ", answered twice" : ""})`,
    async (model, real) => {
      const { id } = asking(model)[at % asking(model).length]!;
      await answerOne(model, real, id);
      if (twice) await answerOne(model, real, id);
      await real.check(model);
      const runs = await dispatchRuns(real.pool, real.organizationId, real.processes[by]!, 2);
      expect(runs.map((run) => run.id).toSorted()).toEqual(model.dispatch(by, 2).toSorted());
    },
    (model) => asking(model).length > 0,
  ),
);
const asking = (model: RunModel) =>
  model.runs.filter(({ waits }) => [...waits.values()].some(({ kind }) => kind === "approval"));

const cancel = fc.tuple(index, fc.boolean()).map(([at, onlyQueued]) =>
  withRun(onlyQueued ? "delete queue item" : "cancel", at, async (model, real, id) => {
    const canceled = await cancelRun(real.pool, real.organizationId, id, { onlyQueued });
    expect(canceled !== undefined).toBe(model.cancel(id, onlyQueued));
  }),
);

const silence = worker.map((at) =>
  command(`silence(${at})`, async (model, real) => {
    model.workers[at]!.silent = true;
    await real.pool.query(
      `UPDATE processes SET heartbeat_at = millrace_now() - interval '16 seconds' WHERE id = $1`,
      [real.processes[at]],
    );
  }),
);

/** It was only slow: its beliefs are old, and it says that it lives. */
const revive = worker.map((at) =>
  command(`revive(${at})`, async (model, real) => {
    model.workers[at]!.silent = false;
    await real.beat(at);
  }),
);

/** The run that was lost most often is lost once more and taken over: three losses in a row are rare by chance. */
const lose = worker.map((successor) =>
  command(
    `lose(${successor})`,
    async (model, real) => {
      const run = executing(model).toSorted((a, b) => b.recoveries - a.recoveries)[0]!;
      const lost = run.owner!;
      model.workers[lost]!.silent = true;
      await real.pool.query(`DELETE FROM processes WHERE id = $1`, [real.processes[lost]]);
      await reapRuns(real.pool);
      model.reap();
      await real.check(model);
      await real.join(lost);
      model.workers[lost]!.silent = false;
      await claimReady(real.pool, real.processes[successor]!, 2);
      model.claim(successor, 2);
    },
    (model) => executing(model).length > 0,
  ),
);
const executing = (model: RunModel) => model.runs.filter(({ status }) => status === "EXECUTING");

const reap = fc.constant(
  command("reap", async (model, real) => {
    await reapRuns(real.pool);
    model.reap();
  }),
);

const sweep = fc.constant(
  command("sweep", async (model, real) => {
    await wakeDelayedRuns(real.pool);
    await answerDueWaits(real.pool);
    await timeOutRuns(real.pool);
    model.sweep();
  }),
);

const tick = fc.constantFrom(1_000, 11_000, 30_000, 70_000).map((ms) =>
  command(`tick(${ms})`, async (model, real) => {
    model.nowMs += ms;
    await real.setNow(model.nowMs);
    for (const [at, { silent }] of model.workers.entries()) if (!silent) await real.beat(at);
  }),
);

/** Common steps more often, so that runs get somewhere. */
export const commands: fc.Arbitrary<Command>[] = [
  trigger,
  trigger,
  trigger,
  claim,
  claim,
  dispatch,
  dispatch,
  checkpoint,
  checkpoint,
  finish,
  retry,
  pause,
  pause,
  release,
  answer,
  goOn,
  goOn,
  cancel,
  silence,
  revive,
  reap,
  reap,
  lose,
  lose,
  lose,
  sweep,
  tick,
];
