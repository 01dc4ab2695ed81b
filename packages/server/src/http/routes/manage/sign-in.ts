import { signedInAnswer, signInBody } from "@millrace/contract/manage/sessions";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../domain/refusal.ts";
import type { Authenticator } from "../../../operations/auth/authenticator.ts";
import {
  type OpenedSession,
  signInByKey,
  signInByLink,
  type SignInContext,
  type SignInPlace,
} from "../../../operations/sessions/sign-in.ts";
import { type Answer, defineRoute } from "../../route.ts";
import type { Site } from "../../site.ts";

export interface SignInParts extends SignInContext {
  readonly authenticator: Authenticator;
  readonly site: Site;
}

export const MAX_AGE_SECONDS = 7 * 86_400;

/** Sign-in of the console. A page of somebody else cannot sign anybody in, not even as themselves. */
export const signInRoute = (parts: SignInParts) =>
  defineRoute({
    method: "POST",
    path: "/manage/sessions",
    name: "signIn",
    summary: "Exchange the token of a sign-in link, or an API key, for a session cookie",
    tag: "Manage",
    access: "token",
    body: signInBody,
    bodyLimitBytes: 4_096,
    answers: { 201: { description: "Signed in; the cookie is set", schema: signedInAnswer } },
    errors: [
      "unauthorized",
      "cross_site_request",
      "user_disabled",
      "organization_suspended",
      "too_many_requests",
    ],
    before(request, reply, limits) {
      requireOwnPage(parts.site, request);
      limits.showGuesses(request, reply);
      return Promise.resolve();
    },
    async handle({ body, raw, reply, limits }) {
      const opened = await open(parts, body, placeOf(raw));
      if (!opened) throw limits.refuseGuess(raw, reply);
      limits.takeForUser(opened.principal, reply);
      return signedIn(parts.site, raw, opened);
    },
  });

function requireOwnPage(site: Site, request: FastifyRequest): void {
  if (site.isCrossSite(request)) throw new Refusal("cross_site_request");
}

export function placeOf(request: FastifyRequest): SignInPlace {
  return { address: request.ip, userAgent: request.headers["user-agent"] };
}

async function open(
  { authenticator, ...context }: SignInParts,
  body: { readonly token: string } | { readonly key: string },
  place: SignInPlace,
): Promise<OpenedSession | undefined> {
  if ("token" in body) return signInByLink(context, body.token, place);
  const known = authenticator.known(body.key);
  const principal = known === null ? await authenticator.lookUp(body.key) : known;
  return principal && signInByKey(context, principal, place);
}

function signedIn(site: Site, request: FastifyRequest, opened: OpenedSession): Answer {
  const { id, token, method, principal, expiresAt } = opened;
  const { email, name } = principal.user;
  return {
    status: 201,
    headers: { "set-cookie": site.setSession(request, token, MAX_AGE_SECONDS), "cache-control": "no-store" },
    body: {
      success: true,
      data: {
        id,
        method,
        user: { id: principal.user.id, email, name },
        organizations: [...principal.organizations].map(([organizationId, { role }]) => ({
          id: organizationId,
          role,
        })),
        expiresAt: expiresAt.toISOString(),
      },
    },
  };
}
