import { pageQuery, type PageRequest } from "./paging.ts";
import type { QueryValue } from "./transport.ts";

/** The organization may be left out where the key reaches only one. */
export interface ManageRequest {
  readonly organizationId?: string | undefined;
}

export interface ManageListRequest extends ManageRequest, PageRequest {}

export interface AuditRequest extends ManageListRequest {
  /** `key.create`, or `key` for all that was done to keys. */
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly userId?: string | undefined;
  readonly from?: Date | string | undefined;
  readonly to?: Date | string | undefined;
}

export type Query = Readonly<Record<string, QueryValue>>;

export function endpointPath(id: string, verb?: string): string {
  return `/event-endpoints/${encodeURIComponent(id)}${verb === undefined ? "" : `/${verb}`}`;
}

export function listQuery(request: ManageListRequest): Query {
  return { ...scope(request), ...pageQuery(request) };
}

export function scope({ organizationId }: ManageRequest): Query {
  return { organizationId };
}
