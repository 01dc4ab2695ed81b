import { reasonOf } from "../../domain/error-reason.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import { listSealedSamples } from "../../storage/doctor/list-sealed-samples.ts";
import { type DatabaseServer, readServer } from "../../storage/doctor/read-server.ts";
import { pendingNames, readSchemaState } from "../../storage/migrate.ts";
import type { Pool } from "../../storage/pool.ts";
import { readSchemaFiles } from "../../storage/schema-files.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import type { Finding } from "./finding.ts";

const OLDEST_SERVER = 150_000;
const WARN_CLOCK_MS = 2_000;

/** Everything that can be asked of the database, as far as it answers. */
export async function examineDatabase(
  { pool, secrets }: { pool: Pool; secrets: SecretBox },
  nowMs: () => number,
): Promise<Finding[]> {
  let server: DatabaseServer;
  const askedAtMs = nowMs();
  try {
    server = await readServer(pool);
  } catch (error) {
    return [unreachable(error)];
  }
  const offsetMs = server.now.getTime() - (askedAtMs + nowMs()) / 2;
  const schema = await checkSchema(pool);
  const findings = [checkVersion(server), schema, checkClock(offsetMs)];
  return schema.status === "fail" ? findings : [...findings, await checkSecrets(pool, secrets)];
}

export function unreachable(error: unknown): Finding {
  return {
    check: "database",
    status: "fail",
    message: `cannot be used (${reasonOf(error)}); check that it runs and that DATABASE_URL is right`,
  };
}

function checkVersion({ version, versionNumber }: DatabaseServer): Finding {
  const check = "database";
  if (versionNumber >= OLDEST_SERVER) return { check, status: "ok", message: `PostgreSQL ${version}` };
  return { check, status: "fail", message: `PostgreSQL ${version} is too old; move to 15 or newer` };
}

async function checkSchema(pool: Pool): Promise<Finding> {
  const check = "schema";
  const files = await readSchemaFiles();
  const state = await readSchemaState(pool, files);
  const missing = pendingNames(state);
  if (missing.length > 0) {
    const message = `version ${state.version} lacks ${missing.join(", ")}; run: millrace migrate`;
    return { check, status: "fail", message };
  }
  const known = files.migrations.at(-1)?.version ?? 0;
  if (state.version <= known) return { check, status: "ok", message: `version ${state.version}` };
  return {
    check,
    status: "warn",
    message: `version ${state.version} is newer than this release (${known}); update Millrace`,
  };
}

function checkClock(offsetMs: number): Finding {
  const check = "clock";
  const seconds = Math.abs(offsetMs / 1000).toFixed(1);
  if (Math.abs(offsetMs) < WARN_CLOCK_MS) {
    return { check, status: "ok", message: `${seconds} s apart from the database` };
  }
  return {
    check,
    status: "warn",
    message: `${seconds} s apart from the database; synchronise both machines (NTP)`,
  };
}

async function checkSecrets(pool: Pool, secrets: SecretBox): Promise<Finding> {
  const check = "secrets";
  const samples = await listSealedSamples(pool);
  try {
    for (const { organizationId, kind, id, ciphertext } of samples) {
      secrets.open(secretPlace(organizationId, kind, id), ciphertext);
    }
  } catch (error) {
    const message = `${(error as Error).message} Add the key to MILLRACE_PREVIOUS_SECRET_KEYS, or apply the documents again.`;
    return { check, status: "fail", message };
  }
  return {
    check,
    status: "ok",
    message: samples.length === 0 ? "none are stored" : "the secret key opens them",
  };
}
