import { stringify } from "yaml";
import { flowIdOf } from "./places.ts";
import { TRIGGER_DATA } from "./prepare.ts";
import type { Finding } from "./torture.ts";

/** A finding as a person wants it: what is wrong, and the smallest flow as a file to run. */
export function render({ seed, number, by, faults, smallest, smallestFaults }: Finding): string {
  const documents = smallest.documents.filter(
    ({ name }, at) =>
      at === 0 || JSON.stringify(smallest.documents).includes(`"flowId":"${smallest.caseId}_${name}"`),
  );
  const { ending, maxAttempts } = smallest.torture;
  return [
    `✗ ${by} and the interpreter disagree (--seed ${seed} --case ${number})`,
    ...faults.map((fault) => `    ${fault}`),
    `  made small:`,
    ...smallestFaults.map((fault) => `    ${fault}`),
    ...(ending ? [`  the run is ended by ${ending} once its last call is held`] : []),
    ...(maxAttempts > 1 ? [`  maxAttempts ${maxAttempts}`] : []),
    `# millrace flows run case.yaml --flow ${flowIdOf(smallest.caseId, "root")} --data '${JSON.stringify(TRIGGER_DATA)}' --approve --skip-waits`,
    `# the receiver of its calls: npm run torture -- --receiver ${/127\.0\.0\.1:(\d+)/.exec(JSON.stringify(documents))?.[1] ?? "4999"}`,
    documents.map((document) => stringify(document)).join("---\n"),
  ].join("\n");
}
