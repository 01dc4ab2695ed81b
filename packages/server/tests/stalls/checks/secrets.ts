import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SecretBox } from "../../../src/storage/secret-box.ts";
import { runMillrace } from "../../support/child-millrace.ts";
import type { Arena, Round } from "../arena/arena.ts";
import { ORGANIZATION, SECRET_KEY } from "../arena/stalls-workspace.ts";

/** `apply` as an operator calls it, with the service's environment. */
export async function secretsOfTheServiceStay(_arena: Arena, { service }: Round): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-test-"));
  try {
    const files = ["MILLRACE_SECRET_KEY", "DATABASE_URL", "PGPASSWORD"].map(async (name) => {
      const file = join(directory, `${name}.json`);
      const document = {
        kind: "Credential",
        id: `cred_${name.toLowerCase()}`,
        organizationId: ORGANIZATION,
        type: "http-bearer",
        allowedHosts: ["127.0.0.1"],
        secret: { token: { env: name } },
      };
      await writeFile(file, JSON.stringify(document));
      const env = {
        DATABASE_URL: service.databaseUrl,
        MILLRACE_SECRET_KEY: SECRET_KEY.toString("base64"),
        PGPASSWORD: "p",
      };
      const code = await runMillrace(["apply", file], env, service.program).exited();
      return code === 0 ? [`a document took ${name} as its secret`] : [];
    });
    return (await Promise.all(files)).flat();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export async function shortTagsAreRefused(): Promise<string[]> {
  const box = new SecretBox(SECRET_KEY);
  const parts = box.seal("place", "secret").split(".");
  const tag = Buffer.from(parts.at(-1)!, "base64url").subarray(0, 4).toString("base64url");
  try {
    box.open("place", [...parts.slice(0, -1), tag].join("."));
    return ["a tag of 4 bytes opened a secret"];
  } catch {
    return [];
  }
}
