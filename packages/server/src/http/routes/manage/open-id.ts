import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../domain/refusal.ts";
import {
  beginOpenId,
  endOpenId,
  type OpenIdContext,
} from "../../../operations/sessions/sign-in-by-open-id.ts";
import { defineRoute, type Route } from "../../route.ts";
import type { Site } from "../../site.ts";
import { MAX_AGE_SECONDS, placeOf } from "./sign-in.ts";

export const OPEN_ID_CALLBACK = "/manage/sessions/oidc/callback";
const PATH = "/manage/sessions/oidc";
const COOKIE = "millrace-oidc";
const MAX_SIGN_IN_SECONDS = 600;

const common = { method: "GET", tag: "Manage", access: "token" } as const;

/** Sign-in at the provider and back. What must be known again is in a sealed cookie, which comes back with the browser alone. */
export function openIdRoutes(context: OpenIdContext & { readonly site: Site }): Route[] {
  const { site } = context;
  const checksCookie = (request: FastifyRequest, value: string, maxAge: number) =>
    `${COOKIE}=${value}; Path=${PATH}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${site.isSecure(request) ? "; Secure" : ""}`;
  return [
    defineRoute({
      ...common,
      path: PATH,
      name: "beginOpenId",
      summary: "Sign in at the OpenID Connect provider of this service",
      answers: { 302: { description: "To the provider" } },
      errors: ["sign_in_provider_unavailable"],
      async handle({ raw, reply, limits }) {
        limits.showGuesses(raw, reply);
        const { url, checks } = await beginOpenId(context);
        const headers = {
          location: url,
          "cache-control": "no-store",
          "set-cookie": checksCookie(raw, checks, MAX_SIGN_IN_SECONDS),
        };
        return { status: 302, headers };
      },
    }),
    defineRoute({
      ...common,
      path: OPEN_ID_CALLBACK,
      name: "endOpenId",
      summary: "Where the OpenID Connect provider sends the browser back to",
      answers: { 302: { description: "To the console, signed in" } },
      errors: [
        "unauthorized",
        "not_a_member",
        "user_disabled",
        "organization_suspended",
        "sign_in_provider_unavailable",
        "too_many_requests",
      ],
      async handle({ raw, reply, limits }) {
        const at = raw.url.indexOf("?");
        const query = at < 0 ? "" : raw.url.slice(at);
        const checks = site.cookie(raw, COOKIE);
        const opened = await endOpenId(context, { query, checks }, placeOf(raw)).catch((error: unknown) => {
          // Whom the provider knows and we do not is a guess like any other.
          if (error instanceof Refusal && error.code === "not_a_member") limits.refuseGuess(raw, reply);
          throw error;
        });
        if (!opened) throw limits.refuseGuess(raw, reply);
        limits.takeForUser(opened.principal, reply);
        void reply.header("set-cookie", [
          site.setSession(raw, opened.token, MAX_AGE_SECONDS),
          checksCookie(raw, "", 0),
        ]);
        return { status: 302, headers: { location: "/console", "cache-control": "no-store" } };
      },
    }),
  ];
}
