import { fileURLToPath } from "node:url";
import { runNode } from "./children.ts";
import type { LoadPlan, LoadReport } from "./load-plan.ts";

const LOAD = fileURLToPath(import.meta.resolve("../load.ts"));

/** One round of load from a process of its own. */
export async function runLoad(plan: LoadPlan): Promise<LoadReport> {
  const report = JSON.parse(await runNode(LOAD, [], { stdin: JSON.stringify(plan) })) as LoadReport;
  if (report.errors > 0) throw new Error(`${report.errors} connections broke under load.`);
  return report;
}
