import { withPrefix } from "../domain/ids.ts";

/** Queue item, history record and run are one thing under three names: whoever has one of them may name it. */
export function runIdOf(id: string): string {
  return /^(?:queue|rh)_/.test(id) ? withPrefix(id, "run") : id;
}
