import { describe, expect, it } from "vitest";
import {
  mayReadValues,
  type Membership,
  organizationFor,
  organizationsFor,
  type Principal,
  reaches,
  requireActive,
  requireChangeRight,
  requireMembership,
  requireRole,
  requireRoleSomewhere,
} from "../../src/domain/principal.ts";
import type { Refusal } from "../../src/domain/refusal.ts";
import { lesserRole, roles } from "../../src/domain/role.ts";

function principal(organizations: Record<string, Partial<Membership>>, disabled = false): Principal {
  return {
    keyId: "key_1",
    scope: "user",
    expiresAt: new Date(0),
    user: { id: "user_1", email: "ada@example.com", name: "Ada", disabled },
    organizations: new Map(
      Object.entries(organizations).map(([id, membership]) => [
        id,
        { role: "member", suspended: false, requestsPerMinute: undefined, ...membership },
      ]),
    ),
  };
}

const code = (act: () => unknown) => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("a key", () => {
  const mixed = principal({ org_one: {}, org_two: { suspended: true } });

  it("is refused where its user is disabled or all its organizations are suspended", () => {
    expect(code(() => requireActive(mixed))).toBeUndefined();
    expect(code(() => requireActive(principal({ org_one: {} }, true)))).toBe("user_disabled");
    expect(code(() => requireActive(principal({ org_one: { suspended: true } })))).toBe(
      "organization_suspended",
    );
    expect(code(() => requireActive(principal({})))).toBeUndefined();
  });

  it("lists what it reaches, or the one organization that is asked for", () => {
    expect(organizationsFor(mixed, undefined)).toEqual(["org_one"]);
    expect(organizationsFor(mixed, "org_one")).toEqual(["org_one"]);
    expect(code(() => organizationsFor(mixed, "org_other"))).toBe("organization_access_denied");
  });

  it("reaches organizations of its own that are not suspended", () => {
    expect(["org_one", "org_two", "org_other"].map((id) => reaches(mixed, id))).toEqual([true, false, false]);
    expect(requireMembership(mixed, "org_one").role).toBe("member");
    expect(code(() => requireMembership(mixed, "org_two"))).toBe("organization_suspended");
    expect(code(() => requireMembership(mixed, "org_other"))).toBe("organization_access_denied");
  });

  it("of a viewer changes nothing", () => {
    const roles = ["owner", "admin", "member", "viewer"] as const;
    const codes = roles.map((role) =>
      code(() => requireChangeRight({ role, suspended: false, requestsPerMinute: undefined })),
    );
    expect(codes).toEqual([undefined, undefined, undefined, "access_denied"]);
  });
});

describe("a role", () => {
  const mixed = principal({
    org_one: { role: "viewer", hidesValues: true },
    org_two: { role: "admin", hidesValues: true },
    org_three: { role: "owner", suspended: true },
  });
  const refusal = (act: () => unknown) => {
    try {
      act();
      return undefined;
    } catch (error) {
      const { code: name, details } = error as Refusal;
      return [name, details.messageParams?.requiredRole];
    }
  };

  it("includes the lesser ones, and a refusal names the one that is needed", () => {
    for (const [at, role] of roles.entries()) {
      const holder = principal({ org_one: { role } });
      const allowed = roles.filter((needed) => !refusal(() => requireRole(holder, "org_one", needed)));
      expect(allowed).toEqual(roles.slice(0, at + 1));
    }
    expect(refusal(() => requireRole(mixed, "org_one", "admin"))).toEqual(["access_denied", "admin"]);
    expect(refusal(() => requireRole(mixed, "org_other", "viewer"))?.[0]).toBe("organization_access_denied");
    expect(lesserRole("owner", "member")).toBe("member");
    expect(lesserRole("viewer", "admin")).toBe("viewer");
  });

  it("counts in some organization that is not suspended, before one is named", () => {
    expect(refusal(() => requireRoleSomewhere(mixed, "admin"))).toBeUndefined();
    expect(refusal(() => requireRoleSomewhere(mixed, "owner"))).toEqual(["access_denied", "owner"]);
    expect(refusal(() => requireRoleSomewhere(principal({}), "viewer"))).toEqual(["access_denied", "viewer"]);
  });

  it("counts in the organization that is named, or the only one there is", () => {
    expect(organizationFor(mixed, "org_two", "admin")).toBe("org_two");
    expect(refusal(() => organizationFor(mixed, "org_one", "admin"))).toEqual(["access_denied", "admin"]);
    expect(refusal(() => organizationFor(mixed, undefined, "viewer"))?.[0]).toBe("invalid_query");
    expect(refusal(() => organizationFor(principal({}), undefined, "viewer"))?.[0]).toBe("invalid_query");
    expect(organizationFor(principal({ org_one: {} }), undefined, "member")).toBe("org_one");
  });

  it("of a viewer does not read values where its organization hides them", () => {
    const ids = ["org_one", "org_two", "org_other"];
    expect(ids.map((id) => mayReadValues(mixed, id))).toEqual([false, true, false]);
    expect(mayReadValues(principal({ org_one: { role: "viewer" } }), "org_one")).toBe(true);
  });
});
