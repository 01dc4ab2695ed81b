// Spoils the example flows in one place at a time: their tests must notice. `npm run mutate:examples [-- <paths…>]`
import { judgeMutants } from "../packages/server/tests/flow-tests/mutants.ts";

const paths = process.argv.slice(2);
const verdicts = await judgeMutants(paths.length > 0 ? paths : ["examples"]);
const survivors = verdicts.filter(({ caught }) => !caught);
for (const { flowId, mutant } of survivors) console.log(`${flowId}: nobody notices ${mutant.text}`);
const flows = new Set(verdicts.map(({ flowId }) => flowId)).size;
console.log(
  `${verdicts.length - survivors.length} of ${verdicts.length} changes of ${flows} flows were noticed.`,
);
process.exitCode = survivors.length === 0 ? 0 : 1;
