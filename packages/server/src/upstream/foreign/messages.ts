/** What travels between the service and a child that speaks a foreign protocol. The sockets travel beside it. */
export type ForeignCall = PostgresCall | MailCall;

export interface PostgresCall {
  readonly protocol: "postgres";
  /** The server's name as the credential has it; its address was checked, and its socket opened, by the service. */
  readonly host: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: "off" | "unverified" | "verified";
  readonly text: string;
  readonly parameters: readonly unknown[];
}

export interface MailCall {
  readonly protocol: "smtp";
  readonly host: string;
  readonly port: number;
  readonly tls: "off" | "starttls" | "always";
  readonly login?: { readonly user: string; readonly password: string };
  readonly mail: Mail;
}

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  /** The same for every attempt, so that a receiver can drop a repeated message. */
  readonly messageId: string;
}

export type ChildRequest =
  /** With the connected socket, from which nothing was read yet. */
  | {
      readonly kind: "call";
      readonly id: number;
      readonly call: ForeignCall;
      /** The whole call; the child ends it itself. */
      readonly maxMs: number;
      /** Certificates that the operator trusts besides Node's own. */
      readonly extraCa: readonly string[];
    }
  /** With a second socket to the same server where the protocol cancels over one. */
  | { readonly kind: "cancel"; readonly id: number };

export type ChildMessage =
  | { readonly kind: "ready" }
  | {
      readonly kind: "reply";
      readonly id: number;
      readonly outcome: ChildOutcome;
      readonly rssBytes: number;
    };

export type ChildOutcome =
  | { readonly ok: true; readonly valueText: string }
  | { readonly ok: false; readonly name: string; readonly message: string };

/** A failure in words for the flow's author, found while still in the child. */
export class ForeignFault extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export const timeoutNames: Record<ForeignCall["protocol"], string> = {
  postgres: "QueryTimeout",
  smtp: "MailServerUnavailable",
};
/** What a canceled call is given to come to an end at the server. */
export const cancelGraceMs = 1_500;
