import { pageQuery, type PageRequest } from "../paging.ts";
import type { Query } from "../transport.ts";

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

export interface CreatedAtRequest {
  readonly createdFrom?: Date | string | undefined;
  readonly createdTo?: Date | string | undefined;
  /** `today`, `yesterday`, `hour`, `day`, `week`, `month`, `year`, or `30m`, `12h`, `7d`, `2w`. */
  readonly period?: string | undefined;
}

export function createdAtQuery({ createdFrom, createdTo, period }: CreatedAtRequest): Query {
  return {
    "filter[createdAt][from]": createdFrom,
    "filter[createdAt][to]": createdTo,
    "filter[createdAt][period]": period,
  };
}

export function listQuery(request: ManageListRequest): Query {
  return { ...scope(request), ...pageQuery(request) };
}

export function scope({ organizationId }: ManageRequest): Query {
  return { organizationId };
}
