/*
 * Variables that set up the service, its database driver, its telemetry and its runtime. A document may be written by a
 * tenant and applied by an operator, in whose environment the master key stands.
 */
const OWN_PREFIXES = ["MILLRACE_", "PG", "OTEL_", "NODE_"];
const OWN_NAMES = new Set(["DATABASE_URL", "POSTGRES_PASSWORD"]);

/** In whatever case: not every system tells them apart. */
export function isOwnVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return OWN_NAMES.has(upper) || OWN_PREFIXES.some((prefix) => upper.startsWith(prefix));
}
