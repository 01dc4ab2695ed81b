import { registerServeCommands } from "./cli/serve.ts";
import { buildProgram } from "./cli/program.ts";
import { runProgram } from "./cli/run-program.ts";
import { terminalOf } from "./cli/terminal.ts";
import { makeWithDatabase } from "./cli/with-database.ts";
import { readEnv, toConfig } from "./config/load-config.ts";
import { readTestStall } from "./config/test-stall.ts";
import { nodeTypes } from "./engine/nodes/registry.ts";
import { migrate } from "./storage/migrate.ts";

/** The command line: what it can do is put together here. */
export async function main(argv: readonly string[]): Promise<void> {
  const env = readEnv();
  // Whoever reads may stop early (`| head`); what is under way still ends properly.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const stdout = (text: string) => void process.stdout.write(`${text}\n`);
  const stderr = (text: string) => void process.stderr.write(`${text}\n`);
  const isDatabaseMeant = () => argv.includes("--database");
  const withDatabase = makeWithDatabase(() => toConfig(env), isDatabaseMeant);
  const program = buildProgram({
    env,
    stdout,
    stderr,
    withDatabase,
    isDatabaseMeant,
    ...terminalOf(process),
    catalogue: nodeTypes,
    dryRun: async (request) => {
      const { dryRun } = await import("./engine/dry-run/dry-run.ts");
      return dryRun(request, { env, egressAllow: toConfig(env).egressAllow });
    },
    withReplay: async (work) => {
      const { withReplay } = await import("./engine/replay/with-replay.ts");
      return withReplay(work);
    },
    startCommands: (program) =>
      registerServeCommands(program, {
        env,
        stdout,
        migrate: () => withDatabase("migrate", ({ pool }) => migrate(pool), { anySchema: true }),
        serve: async (role, { demo = false } = {}) => {
          const config = toConfig(env);
          // Only now: the other commands need none of what the service is made of.
          const [{ serve }, { welcome }, { sayFirstSteps }, { printSignInLink }] = await Promise.all([
            import("./serve.ts"),
            import("./compose/welcome.ts"),
            import("./compose/first-steps.ts"),
            import("./compose/sign-in-link.ts"),
          ]);
          const isWanted = (embedded: boolean) => demo || (embedded && config.demo !== "off");
          return serve({
            config,
            role,
            stdout,
            terminal: process.stdout.isTTY,
            testStall: readTestStall(env),
            welcome: async (database, address, stopping) => {
              if (isWanted(database.embedded))
                await welcome(database, { address, runs: config.demo === "on", stopping }, stdout);
              else await sayFirstSteps(database, address, stdout);
              if (!stopping.aborted) await printSignInLink(database, { address, config }, stdout);
            },
          });
        },
      }),
  });
  process.exitCode = await runProgram(program, argv, stderr);
}
