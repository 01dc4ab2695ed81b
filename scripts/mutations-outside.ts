import type { Guard } from "./mutants.ts";

/** Guards against what others send: addresses, expressions and code. */
export const outsideGuards: readonly Guard[] = [
  {
    name: "literal addresses are judged",
    file: "src/upstream/address-guard.ts",
    cut: [["if (isIP(name) !== 0 && !isAllowed(name)) throw refused(name);", ""]],
    // Only judged there, never dialled.
    suites: ["upstream/address-guard.test.ts › is refused"],
  },
  {
    name: "RE2 for regular expressions",
    file: "src/engine/sandbox/child-expression.ts",
    cut: [["RegexEngine: re2RegexEngine,", ""]],
    suites: ["sandbox/expression.test.ts › backtrack for ever"],
  },
  {
    name: "a child that is called off is killed",
    file: "src/engine/sandbox/pool.ts",
    cut: [['seat.state = "ended";\n    seat.child.kill();', 'seat.state = "ended";']],
    suites: ["sandbox/pool.test.ts › a canceled call ends at once"],
  },
  {
    name: "processor time of the sandbox",
    file: "src/engine/sandbox/call-child.ts",
    cut: [["wallPerCpuMs * request.cpuMs + wallGraceMs", "request.cpuMs + 500"]],
    suites: ["sandbox/pool.test.ts › a job is charged"],
  },
  {
    name: "5 MB of the sandbox",
    file: "src/engine/sandbox/result-limits.ts",
    cut: [["maxResultTextLength = 5_500_000", "maxResultTextLength = 1_048_576"]],
    suites: ["nodes/code.test.ts › may answer 5 MB"],
  },
];
