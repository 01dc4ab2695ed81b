import { Refusal } from "./refusal.ts";
import { hasRole, type Role, roleNeeded } from "./role.ts";

export interface Membership {
  /** The lesser of the user's role and the key's own. */
  readonly role: Role;
  readonly suspended: boolean;
  readonly requestsPerMinute: number | undefined;
  /** Viewers see structure, times and statuses, never inputs, outputs or messages. */
  readonly hidesValues?: boolean;
}

/** Who a request speaks for: the key, session or access token, the user behind it, and the organizations it reaches. */
export interface Principal {
  /** Left out with an access token, and in a session that was not made with a key. */
  readonly keyId: string | undefined;
  /** Of somebody who is signed in to the console. */
  readonly sessionId?: string;
  /** The program that an access token of the OpenID Connect provider was given to; empty where the token does not say. */
  readonly clientId?: string;
  readonly scope: "org" | "user";
  readonly expiresAt: Date;
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly disabled: boolean;
  };
  /** One for an organization key, all of the user's for a user key. */
  readonly organizations: ReadonlyMap<string, Membership>;
}

/** A valid key is refused where its user is disabled, or all its organizations are suspended. */
export function requireActive(principal: Principal): void {
  if (principal.user.disabled) throw new Refusal("user_disabled");
  const memberships = [...principal.organizations.values()];
  if (memberships.length > 0 && memberships.every((membership) => membership.suspended)) {
    throw new Refusal("organization_suspended");
  }
}

/** The organizations a list covers: the one asked for, or all that the key reaches. */
export function organizationsFor(principal: Principal, asked: string | undefined): string[] {
  if (asked !== undefined) {
    requireMembership(principal, asked);
    return [asked];
  }
  return [...principal.organizations].filter(([, membership]) => !membership.suspended).map(([id]) => id);
}

export function reaches(principal: Principal, organizationId: string): boolean {
  const membership = principal.organizations.get(organizationId);
  return membership !== undefined && !membership.suspended;
}

export function requireMembership(principal: Principal, organizationId: string): Membership {
  const membership = principal.organizations.get(organizationId);
  if (!membership) throw new Refusal("organization_access_denied");
  if (membership.suspended) throw new Refusal("organization_suspended");
  return membership;
}

/** The right to do in an organization what needs a role. */
export function requireRole(principal: Principal, organizationId: string, needed: Role): Membership {
  const membership = requireMembership(principal, organizationId);
  if (!hasRole(membership.role, needed)) throw roleNeeded(needed);
  return membership;
}

/** For a request that says nothing of an organization yet: refused where no organization would allow it. */
export function requireRoleSomewhere(principal: Principal, needed: Role): void {
  for (const { role, suspended } of principal.organizations.values())
    if (!suspended && hasRole(role, needed)) return;
  throw roleNeeded(needed);
}

/** The one organization a request to manage is about: the one it names, or the only one it can mean. */
export function organizationFor(principal: Principal, asked: string | undefined, needed: Role): string {
  const [only, ...others] = principal.organizations.keys();
  const organizationId = asked ?? (others.length === 0 ? only : undefined);
  if (organizationId === undefined) {
    const message = "is required: this key reaches several organizations";
    throw new Refusal("invalid_query", { issues: [{ path: ["organizationId"], message }] });
  }
  requireRole(principal, organizationId, needed);
  return organizationId;
}

/** Viewers look; whatever starts, stops or changes something needs another role. */
export function requireChangeRight(membership: Membership): void {
  if (!hasRole(membership.role, "member")) throw roleNeeded("member");
}

/** Whether inputs, outputs and messages of an organization's runs may be shown to them. */
export function mayReadValues(principal: Principal, organizationId: string): boolean {
  const membership = principal.organizations.get(organizationId);
  return membership !== undefined && !(membership.role === "viewer" && membership.hidesValues === true);
}
