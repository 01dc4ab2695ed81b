import type { Reference } from "./reference.ts";
import { startReference } from "./reference.ts";
import type { Bench } from "./section.ts";
import { type BenchProcess, type Installation, install } from "./service.ts";

export interface Pair {
  readonly reference: Reference;
  readonly service: Installation;
  readonly process: BenchProcess;
  readonly key: string;
}

/** The service with the given documents in it, beside the bare reference in the same PostgreSQL. */
export async function withReference<Result>(
  { cluster, profileDirectory, progress }: Bench,
  name: string,
  options: { organizationId: string; documents: readonly object[] },
  measure: (pair: Pair) => Promise<Result>,
): Promise<Result> {
  const reference = await startReference(cluster, `${name}_reference`);
  const service = await install(cluster, `${name}_service`, { profileDirectory });
  await service.apply(options.documents);
  const key = await service.createKey(options.organizationId);
  const process = await service.start("start");
  const result = await measure({ reference, service, process, key });
  const statements = await cluster.topStatements(service.database, 25);
  if (statements) progress(`statements of ${name}:\n${statements}`);
  await service.remove();
  await reference.remove();
  return result;
}
