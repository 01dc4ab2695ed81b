import type { Locale } from "@millrace/contract/locales";
import { fillText } from "../../domain/fill-text.ts";
import { CLAUSES } from "./finding-texts.ts";

/** One line of a doctor's report; the message of anything but `ok` says what to do. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
}

/** The same, while it is not known in which language it will be read. */
export interface UntoldFinding extends Omit<Finding, "message"> {
  readonly says: readonly (keyof typeof CLAUSES)[];
  readonly values?: Readonly<Record<string, string>>;
}

export function tell({ check, status, says, values = {} }: UntoldFinding, locale: Locale): Finding {
  const message = says.map((clause) => fillText(CLAUSES[clause][locale], values)).join("");
  return { check, status, message };
}
