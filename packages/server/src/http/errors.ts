import type { Issue } from "@millrace/contract/envelope";
import { type ErrorCode, errorCatalogue } from "@millrace/contract/errors";
import { type Locale, toLocale } from "@millrace/contract/locales";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../domain/refusal.ts";
import { refusalText } from "../domain/refusal-text.ts";
import { MAX_ISSUES } from "./issues.ts";
import { localeOfBrowser } from "./pages/language.ts";
import { refusalPage } from "./pages/refusal-page.ts";

/** Fastify's own refusals, in the words of the catalogue. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
  FST_ERR_BAD_URL: "bad_request",
  FST_ERR_MAX_PARAM_LENGTH: "uri_too_long",
};

const RETRY_AFTER_SECONDS = 1;
const MAX_ECHO_LENGTH = 200;

export function toRefusal(error: unknown, isUnavailable: (error: unknown) => boolean): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const fastifyCode = FASTIFY_CODES[(error as FastifyError).code ?? ""];
  if (fastifyCode) return new Refusal(fastifyCode);
  if (isUnavailable(error))
    return new Refusal("service_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return undefined;
}

function errorBodyOf(
  refusal: Refusal,
  locale: Locale,
  options: { stream: boolean; validate: boolean },
): object {
  const entry = errorCatalogue[refusal.code];
  if (entry.status === 429) {
    return options.stream ? { success: false, error: entry.error[locale] } : { error: entry.error[locale] };
  }
  const { issues, messageParams, validationErrors, validationWarnings, data } = refusal.details;
  return {
    success: false,
    error: entry.error[locale],
    message: refusalText(refusal, locale),
    code: refusal.code,
    ...(issues && { issues: issues.slice(0, MAX_ISSUES).map(shortened) }),
    ...(messageParams && { messageParams }),
    ...(validationErrors && { validationErrors }),
    ...(validationWarnings && { validationWarnings }),
    ...(data && { data }),
    ...(options.validate &&
      (entry.status === 401 || entry.status === 403) && { data: { authenticated: false } }),
  };
}

/** What a refusal says in words, without its details. */
export function messageOf(refusal: Refusal, locale: Locale): string {
  return `${errorCatalogue[refusal.code].error[locale]}: ${refusalText(refusal, locale)}`;
}

/** A path holds keys of the caller, of any length; enough of them to be recognised. */
function shortened({ path, message }: Issue): Issue {
  return {
    path: path.map((step) => (typeof step === "string" ? step.slice(0, MAX_ECHO_LENGTH) : step)),
    message: message.slice(0, MAX_ECHO_LENGTH * 5),
  };
}

export function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Who has left is told nothing: many may have left at once.
  if (reply.raw.destroyed) return reply.code(errorCatalogue[refusal.code].status).hijack();
  // Not every fault has come through the hooks.
  void reply.header("x-request-id", request.id);
  const { retryAfterSeconds, allow } = refusal.details;
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", String(retryAfterSeconds));
  if (allow !== undefined) void reply.header("allow", allow);
  const { stream, name, challenge, presentError, isPage } = request.routeOptions.config.route ?? {};
  if (isPage && request.headers.accept?.includes("text/html")) {
    const language = localeOfBrowser(request.headers["accept-language"]);
    const { status, headers, body } = refusalPage(refusal, language, request.id);
    return reply
      .code(status)
      .headers({ ...headers })
      .send(body);
  }
  if (challenge && errorCatalogue[refusal.code].status === 401)
    void reply.header("www-authenticate", challenge(request));
  const locale = toLocale(headerText(request, "x-locale"));
  const body = presentError
    ? presentError(refusal, locale)
    : errorBodyOf(refusal, locale, { stream: stream === true, validate: name === "validateKey" });
  return reply.code(errorCatalogue[refusal.code].status).send(body);
}

export function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
