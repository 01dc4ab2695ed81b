import type { FastifyReply, FastifyRequest } from "fastify";
import { type Locale, toLocale } from "@millrace/contract/locales";
import type { Actor } from "../domain/actor.ts";
import type { Principal } from "../domain/principal.ts";
import { actorOf } from "./actor.ts";
import { headerText } from "./errors.ts";
import type { RateLimits } from "./middleware/rate-limit.ts";
import type { RouteRequest } from "./route.ts";

interface Given {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly limits: RateLimits;
}

/** A request as its route sees it. What few routes ask for is looked up when they do. */
export class RouteCall implements RouteRequest<never, never> {
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: never;
  readonly body: never;
  readonly raw: FastifyRequest;
  readonly reply: FastifyReply;
  readonly limits: RateLimits;

  constructor(raw: FastifyRequest, reply: FastifyReply, { params, query, body, limits }: Given) {
    this.principal = raw.principal!;
    this.params = params;
    this.query = query as never;
    this.body = body as never;
    this.raw = raw;
    this.reply = reply;
    this.limits = limits;
  }

  get actor(): Actor {
    return actorOf(this.raw);
  }

  get locale(): Locale {
    return toLocale(headerText(this.raw, "x-locale"));
  }
}
