import type { Guard } from "./mutants.ts";

const FENCE = "runs/fence.test.ts";
const MODEL = "runs/model/model.test.ts › whatever happens";

const storage = (name: string) => `src/storage/runs/${name}.ts`;

/** Guards that leave a run to one worker, and its end to one of those who want it. */
export const fenceGuards: readonly Guard[] = [
  {
    name: "epoch in checkpoint",
    file: storage("checkpoint-runs"),
    cut: [["r.id = a.id AND r.epoch = a.epoch", "r.id = a.id"]],
    suites: [FENCE, MODEL],
  },
  {
    name: "FOR SHARE in checkpoint",
    file: storage("checkpoint-runs"),
    cut: [[" FOR SHARE\n", "\n"]],
    suites: [FENCE],
  },
  {
    name: "no checkpoint after an end from outside",
    file: storage("checkpoint-runs"),
    cut: [
      ["r.id = a.id AND r.epoch = a.epoch", "r.id = a.id AND a.epoch IN (r.epoch, r.finished_epoch - 1)"],
      ["r.status = 'EXECUTING'", "r.status IN ('EXECUTING', 'CANCELED', 'TIMED_OUT')"],
    ],
    suites: [FENCE],
  },
  {
    name: "epoch in finish",
    file: storage("finish-runs"),
    cut: [["r.id = a.id AND r.epoch = a.epoch AND", "r.id = a.id AND"]],
    suites: [FENCE, MODEL],
  },
  {
    name: "status in finish",
    file: storage("finish-runs"),
    cut: [["r.epoch = a.epoch AND r.status = 'EXECUTING'", "r.epoch = a.epoch"]],
    suites: [MODEL],
  },
  {
    name: "epoch in retry",
    file: storage("retry-run"),
    cut: [[" AND r.epoch = $3", " AND $3::integer IS NOT NULL"]],
    suites: [FENCE, MODEL],
  },
  {
    name: "attempts in retry",
    file: storage("retry-run"),
    cut: [[" AND r.attempt < r.max_attempts", ""]],
    suites: [MODEL],
  },
  {
    name: "epoch in pause",
    file: "sql/pause_run.sql",
    cut: [[" AND r.epoch = v_epoch", ""]],
    suites: [FENCE, MODEL],
  },
  {
    name: "epoch in release",
    file: storage("release-runs"),
    cut: [[" AND r.epoch = a.epoch", ""]],
    suites: [FENCE],
  },
  {
    name: "epoch raised by reap",
    file: storage("reap-runs"),
    cut: [["epoch = r.epoch + 1, recoveries", "epoch = r.epoch, recoveries"]],
    suites: [FENCE, MODEL],
  },
  {
    name: "three losses in reap",
    file: storage("reap-runs"),
    cut: [
      ["r.recoveries + 1 < ${MAX_LOSSES}", "true"],
      ["r.recoveries + 1 >= ${MAX_LOSSES}", "false"],
    ],
    suites: [FENCE, MODEL],
  },
  {
    name: "onlyQueued in delete",
    file: storage("cancel-run"),
    cut: [
      [
        "`r.status = 'WAITING' AND r.stage = 'queued' AND r.answered_queued AND r.started_at IS NULL`",
        "`r.status IN ('WAITING', 'EXECUTING')`",
      ],
    ],
    suites: ["runs/races.test.ts › a run that was dispatched cannot be deleted from the queue", MODEL],
  },
  {
    name: "grace and deadline in time-out",
    file: storage("time-out-runs"),
    cut: [
      [
        "deadline_at < ${NOW} - make_interval(secs => ${GRACE_SECONDS})",
        "deadline_at < ${NOW} - interval '1 hour'",
      ],
    ],
    suites: [MODEL],
  },
  {
    name: "worker stops itself when cut off",
    file: "src/engine/engine.ts",
    cut: [["this.worker.stopAll()", "undefined"]],
    suites: ["runs/network.test.ts › stops a worker that is cut off"],
  },
  {
    name: "poll behind the wake-ups",
    file: "src/engine/engine.ts",
    cut: [["const CLAIM_POLL_MS = 1_000", "const CLAIM_POLL_MS = 60_000"]],
    suites: ["runs/network.test.ts › costs about a second"],
  },
  {
    name: "reaper",
    file: "src/engine/duties/reaper.ts",
    cut: [["await reapRuns(pool)", "[] as Awaited<ReturnType<typeof reapRuns>>"]],
    suites: ["runs/processes.test.ts › loses nothing"],
  },
];
