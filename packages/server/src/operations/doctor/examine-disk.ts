import { statfs } from "node:fs/promises";
import type { Finding } from "./finding.ts";

const WARN_BYTES = 1_000_000_000;
const FAIL_BYTES = 100_000_000;

/** Room left where the built-in PostgreSQL keeps its data. */
export async function examineDisk(directory: string): Promise<Finding> {
  const check = "disk";
  const stats = await statfs(directory).catch(() => undefined);
  if (!stats)
    return { check, status: "warn", message: `${directory} does not exist yet; the first start makes it` };
  const freeBytes = stats.bavail * stats.bsize;
  const message = `${(freeBytes / 1e9).toFixed(1)} GB free in ${directory}`;
  if (freeBytes >= WARN_BYTES) return { check, status: "ok", message };
  const status = freeBytes >= FAIL_BYTES ? "warn" : "fail";
  return { check, status, message: `${message}; make room or set MILLRACE_DATA_DIR to another disk` };
}
