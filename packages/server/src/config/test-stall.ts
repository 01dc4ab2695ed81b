/**
 * For tests of the watchdog alone, and deliberately no setting: `MILLRACE_TEST_STALL="flow_x/node_y 60000"` or
 * `"route listFlows 60000"` makes the event loop stand still for so many milliseconds whenever that node or that
 * route is entered. Nobody can reach it who does not start the process.
 */
export interface TestStall {
  readonly flowId?: string;
  readonly nodeId?: string;
  readonly route?: string;
  readonly forMs: number;
}

export function readTestStall(env: Readonly<Record<string, string | undefined>>): TestStall | undefined {
  const text = env["MILLRACE_TEST_STALL"];
  if (!text) return undefined;
  const [, route, flowId, nodeId, forMs] = /^(?:route (\w+)|([\w-]+)\/([\w-]+)) (\d+)$/.exec(text) ?? [];
  if (forMs === undefined) throw new Error(`MILLRACE_TEST_STALL is not understood: ${text}`);
  return { route, flowId, nodeId, forMs: Number(forMs) };
}
