import { randomBytes } from "node:crypto";

/** Ids that no other process makes. */
export function requestIdMaker(): () => string {
  const process = randomBytes(6).toString("base64url");
  let count = 0;
  return () => `req_${process}${(count++).toString(36).padStart(6, "0")}`;
}
