import { statfs } from "node:fs/promises";
import type { UntoldFinding } from "./finding.ts";

const WARN_BYTES = 1_000_000_000;
const FAIL_BYTES = 100_000_000;

/** Room left where the built-in PostgreSQL keeps its data. */
export async function examineDisk(directory: string): Promise<UntoldFinding> {
  const check = "disk";
  const stats = await statfs(directory).catch(() => undefined);
  if (!stats) return { check, status: "warn", says: ["disk_missing"], values: { directory } };
  const freeBytes = stats.bavail * stats.bsize;
  const values = { free: `${(freeBytes / 1e9).toFixed(1)} GB`, directory };
  if (freeBytes >= WARN_BYTES) return { check, status: "ok", says: ["disk_free"], values };
  const status = freeBytes >= FAIL_BYTES ? "warn" : "fail";
  return { check, status, says: ["disk_free", "make_room"], values };
}
