/** Who changes something, and through which door. */
export interface Actor {
  /** Left out where nobody signed in: a command beside the database. */
  readonly userId?: string | undefined;
  /** `token`: an access token of the OpenID Connect provider. `link`: a link that is itself the right. `cli`: a command beside the database. `service`: the service itself. */
  readonly via: "key" | "session" | "token" | "link" | "cli" | "service";
  /** The key, the session, the program with the token, or the account of the machine that ran the command. */
  readonly viaId?: string | undefined;
  readonly address?: string | undefined;
}

/** What was changed. `before` and `after` hold no secret and no value of a run. */
export interface AuditedChange {
  readonly organizationId: string;
  /** What kind of thing, and what was done to it: `key.create`. */
  readonly action: string;
  /** The id of the thing. */
  readonly target: string;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}
