import { describe, expect, it } from "vitest";
import {
  type Membership,
  organizationsFor,
  type Principal,
  reaches,
  requireActive,
  requireChangeRight,
  requireMembership,
} from "../../src/domain/principal.ts";

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
