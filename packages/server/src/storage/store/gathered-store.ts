import { GroupCommit } from "../group-commit.ts";
import { GroupCommits } from "../group-commits.ts";
import type { Pool } from "../pool.ts";
import {
  deleteStored,
  getStored,
  type IncrementKey,
  incrementStored,
  type SetKey,
  setStored,
  type StoredKey,
} from "./organization-store.ts";

const MANY = { maxItems: 250, maxUnderWay: 2 };

/**
 * The store of every organization. What many runs look up at the same moment is one statement, and so is what the runs of one
 * organization change: a key that many want to change holds up nobody else.
 */
export function gatherStore(pool: Pool) {
  const reads = new GroupCommit((keys: StoredKey[]) => getStored(pool, keys), MANY);
  const sets = new GroupCommits<SetKey, void>(
    async (organizationId, items) => {
      await setStored(pool, organizationId, items);
      return items.map(() => undefined);
    },
    { ...MANY, sizeOf: ({ text }) => text.length },
  );
  const increments = new GroupCommits<IncrementKey, number>(
    (organizationId, items) => incrementStored(pool, organizationId, items),
    MANY,
  );
  /** Keys that are being incremented: one statement can change a key only once. */
  const counting = new Set<string>();
  return {
    get: (organizationId: string, key: string) => reads.add({ organizationId, key }),
    set: (organizationId: string, key: string, value: unknown) =>
      sets.add(organizationId, { key, text: JSON.stringify(value ?? null) }),
    increment: async (organizationId: string, key: string, by: number) => {
      const place = `${organizationId} ${key}`;
      if (counting.has(place)) return (await incrementStored(pool, organizationId, [{ key, by }]))[0]!;
      counting.add(place);
      try {
        return await increments.add(organizationId, { key, by });
      } finally {
        counting.delete(place);
      }
    },
    delete: (organizationId: string, key: string) => deleteStored(pool, organizationId, key),
  };
}
