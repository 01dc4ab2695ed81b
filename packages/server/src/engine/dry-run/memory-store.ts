import type { OrganizationStore } from "../nodes/node-type.ts";

/** The organization's store for as long as one dry run takes. */
export function createMemoryStore(): OrganizationStore {
  const values = new Map<string, unknown>();
  const place = (organizationId: string, key: string) => JSON.stringify([organizationId, key]);
  return {
    get: async (organizationId, key) => structuredClone(values.get(place(organizationId, key))),
    set: async (organizationId, key, value) => {
      values.set(place(organizationId, key), structuredClone(value));
    },
    increment: async (organizationId, key, by) => {
      const known = values.get(place(organizationId, key));
      const next = (typeof known === "number" ? known : 0) + by;
      values.set(place(organizationId, key), next);
      return next;
    },
    delete: async (organizationId, key) => {
      values.delete(place(organizationId, key));
    },
  };
}
