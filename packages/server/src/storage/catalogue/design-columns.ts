import { boolean, orNull, text, timestamp } from "../columns.ts";

/** What lists tell of flows and agents alike. */
export const DESIGN = {
  select: `id, name, slug, organization_id AS "organizationId", active, created_at AS "createdAt", updated_at AS "updatedAt"`,
  columns: {
    id: text,
    name: text,
    slug: orNull(text),
    organizationId: text,
    active: boolean,
    createdAt: timestamp,
    updatedAt: orNull(timestamp),
  },
};
