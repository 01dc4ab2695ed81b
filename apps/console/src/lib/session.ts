/**
 * Who signed in here, as far as this browser knows. The session itself is a cookie that no script can read, and the
 * service decides what it may do; this only says what to show. Without it the sign-in page opens at once, with no
 * request that would be refused.
 */
export const roles = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

export interface Session {
  readonly id: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organizations: readonly { readonly id: string; readonly role: Role }[];
}

const SESSION = "millrace.session";
const ORGANIZATION = "millrace.organization";

export function readSession(): Session | undefined {
  try {
    return JSON.parse(localStorage.getItem(SESSION) ?? "") as Session;
  } catch {
    return undefined;
  }
}

export function keepSession(session: Session): void {
  localStorage.setItem(SESSION, JSON.stringify(session));
}

export function forgetSession(): void {
  localStorage.removeItem(SESSION);
}

/** The organization that is looked at: the chosen one, or the first. */
export function currentOrganization(): string {
  const organizations = readSession()?.organizations ?? [];
  const chosen = localStorage.getItem(ORGANIZATION);
  return (organizations.find(({ id }) => id === chosen) ?? organizations[0])?.id ?? "";
}

export function chooseOrganization(id: string): void {
  localStorage.setItem(ORGANIZATION, id);
}

/** Whether it makes sense to offer what needs this role. */
export function mayAct(needed: Role): boolean {
  const role = readSession()?.organizations.find(({ id }) => id === currentOrganization())?.role ?? "viewer";
  return roles.indexOf(role) >= roles.indexOf(needed);
}
