import { Refusal } from "./refusal.ts";

/** What each may, from the least: each one also does what those before it do. */
export const roles = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

export function hasRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

export function lesserRole(one: Role, other: Role): Role {
  return hasRole(one, other) ? other : one;
}

/** Every refusal by role says which one is needed. */
export function roleNeeded(role: Role): Refusal {
  return new Refusal("access_denied", { messageParams: { requiredRole: role } });
}
