import { Refusal } from "./refusal.ts";

export type Role = "owner" | "admin" | "member" | "viewer";

export interface Membership {
  readonly role: Role;
  readonly suspended: boolean;
  readonly requestsPerMinute: number | undefined;
}

/** Who a request speaks for: the key, the user behind it, and the organizations it reaches. */
export interface Principal {
  readonly keyId: string;
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

/** Viewers look; whatever starts, stops or changes something needs another role. */
export function requireChangeRight(membership: Membership): void {
  if (membership.role === "viewer") throw new Refusal("access_denied");
}
