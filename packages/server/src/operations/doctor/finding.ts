/** One line of a doctor's report; the message of anything but `ok` says what to do. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
}
