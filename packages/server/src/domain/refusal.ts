import type { Issue } from "@millrace/contract/envelope";
import type { ErrorCode } from "@millrace/contract/errors";

export interface RefusalDetails {
  readonly issues?: readonly Issue[];
  readonly messageParams?: Readonly<Record<string, string>>;
  readonly validationErrors?: readonly string[];
  readonly validationWarnings?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** What the caller needs to go on. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Header `Allow` of a 405. */
  readonly allow?: string;
}

/** An answer the caller is meant to get: a name from the error catalogue, and what belongs to it. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}
