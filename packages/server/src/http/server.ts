import { createServer, type RequestListener, type Server } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Fastify from "fastify";
import { type Principal, requireActive, requireRoleSomewhere } from "../domain/principal.ts";
import { Refusal } from "../domain/refusal.ts";
import { parseTraceparent } from "../domain/trace-context.ts";
import { during } from "../lifecycle/under-way.ts";
import type { AccessTokens } from "../operations/auth/access-tokens.ts";
import type { Authenticator } from "../operations/auth/authenticator.ts";
import { acceptBodies, forgetTypeOfNothing } from "./body.ts";
import { answerClientError, hangUp } from "./client-error.ts";
import { sendRefusal, toRefusal } from "./errors.ts";
import { isLargeJson, isLong, sendInTurn, sendLong, sendNow } from "./large-answers.ts";
import { LargeBodies } from "./large-bodies.ts";
import { refuseUnknownRoute } from "./no-route.ts";
import { refuseOverload, type Workload } from "./overload.ts";
import { authenticate } from "./middleware/authenticate.ts";
import type { RateLimits } from "./middleware/rate-limit.ts";
import { paceEndings } from "./paced-endings.ts";
import { CountedRequest, CountedResponse } from "./pieces.ts";
import { requestIdMaker } from "./request-id.ts";
import { requestLabel } from "./request-label.ts";
import { inTurns, pauseFloods } from "./request-turns.ts";
import { parseQuery } from "./query.ts";
import { RouteCall } from "./route-call.ts";
import {
  type Answer,
  checkParameters,
  isForPeople,
  parseOrRefuse,
  refuseImpossibleIds,
  type Route,
} from "./route.ts";
import type { SharedConnections } from "./shared-connections.ts";
import type { Site } from "./site.ts";
import { trustedProxies } from "./trusted-proxies.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    route?: Route;
    /** Meant for people: a host that is not ours is refused, whatever the request proves. */
    checksHost?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  /** Knows those who are signed in to the console. */
  readonly sessions: Authenticator;
  readonly accessTokens?: AccessTokens | undefined;
  readonly site: Site;
  readonly limits: RateLimits;
  readonly logger: FastifyBaseLogger;
  readonly trustProxy: readonly string[];
  /** Whether an error means that the database cannot be used right now. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Without it nobody is turned away. */
  readonly workload?: Workload;
  readonly connections?: SharedConnections | undefined;
  readonly onAnswer?: (route: string, status: number, seconds: number) => void;
}

const registeredRoutes = new WeakMap<FastifyInstance, string[]>();

/** What the router holds, whoever put it there: the documentation is tested against this. */
export function routesOf(server: FastifyInstance): readonly string[] {
  return registeredRoutes.get(server) ?? [];
}

const DEFAULT_BODY_LIMIT_BYTES = 1_048_576;
const HTTP_OPTIONS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
  maxRequestsPerSocket: 100_000,
  // Node makes an error for every request that is late, all in one turn: the fewer have come since the last look.
  connectionsCheckingInterval: 250,
  IncomingMessage: CountedRequest,
  ServerResponse: CountedResponse,
};

export function buildServer(options: ServerOptions): FastifyInstance {
  const requestIds = requestIdMaker();
  const server = Fastify({
    genReqId: requestIds,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: DEFAULT_BODY_LIMIT_BYTES,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 8_192, ignoreTrailingSlash: false },
    exposeHeadRoutes: true,
    serverFactory: (handle) => createHttpServer(handle, requestIds, options),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, requestIds()),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply, options),
  });
  const registered: string[] = [];
  registeredRoutes.set(server, registered);
  server.addHook("onRoute", ({ method, url }) => {
    const path = url.replaceAll(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
    if (method !== "HEAD") registered.push(`${String(method)} ${path}`);
  });
  acceptBodies(server);
  const largeBodies = new LargeBodies();
  server.decorateRequest("principal", undefined);

  server.addHook("onRequest", (request, reply, done) => {
    // Through Fastify: one header set on the raw answer would make Node merge all of them one by one.
    void reply.header("x-request-id", request.id);
    // Before a body is read that nobody asked for.
    if (request.is404) {
      refuseUnknownRoute(request, reply, options).then(done).catch(done);
      return;
    }
    if (request.method !== "GET") forgetTypeOfNothing(request.raw);
    const route = request.routeOptions.config.route;
    if (route && route.access !== "open") options.limits.noteCaller(request);
    try {
      if (request.routeOptions.config.checksHost && options.site.isForeignHost(request))
        throw new Refusal("host_not_allowed");
      if (route?.before) {
        route.before(request, reply, options.limits).then(goOn).catch(done);
        return;
      }
      if (route?.access !== "key") return goOn();
      const principal = authenticate(request, reply, options);
      if (!(principal instanceof Promise)) return admit(principal);
      principal.then(admit).catch(done);
    } catch (error) {
      done(error as Error);
    }

    function goOn(): void {
      largeBodies.take(request, reply);
      done();
    }

    function admit(principal: Principal): void {
      (principal.sessionId === undefined ? options.authenticator : options.sessions).noteUse(principal);
      options.limits.takeForUser(principal, reply);
      requireActive(principal);
      if (route?.role) requireRoleSomewhere(principal, route.role);
      request.principal = principal;
      goOn();
    }
  });

  if (options.onAnswer) {
    const { onAnswer } = options;
    server.addHook("onResponse", (request, reply, done) => {
      onAnswer(
        request.routeOptions.config.route?.name ?? "unknown",
        reply.statusCode,
        reply.elapsedTime / 1000,
      );
      done();
    });
  }

  server.setErrorHandler((error, request, reply) => answerError(error, request, reply, options));
  for (const route of options.routes) addRoute(server, route, options);
  return server;
}

function createHttpServer(
  handle: RequestListener,
  makeRequestId: () => string,
  { workload, connections, onAnswer }: ServerOptions,
): Server {
  const onRefused = () => onAnswer?.("overloaded", 503, 0);
  const listener = workload ? refuseOverload(handle, { workload, makeRequestId, onRefused }) : handle;
  // What a client expects beyond the usual is ignored, as HTTP allows: Node would answer 417 without a word.
  const server = createServer(
    HTTP_OPTIONS,
    inTurns(listener, (socket) => hangUp(socket, "service_unavailable", makeRequestId())),
  );
  paceEndings(server);
  pauseFloods(server);
  connections?.share(server, makeRequestId);
  return server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

function addRoute(server: FastifyInstance, route: Route, { limits, workload }: ServerOptions): void {
  const hasParameters = route.path.includes("{");
  // A webhook's parameters belong to its flow, and pages and links are opened with whatever mail programs add to them.
  const takesOwnParameters = route.access === "key";
  server.route({
    method: route.method,
    url: (route.wildcard ? route.path.replace(/\{\w+\}$/, "*") : route.path).replaceAll(/\{(\w+)\}/g, ":$1"),
    config: { route, checksHost: isForPeople(route.path) },
    ...(route.bodyLimitBytes !== undefined && { bodyLimit: route.bodyLimitBytes }),
    handler: (request, reply) => {
      const label = requestLabel(request);
      const answer = during(label, "", () => handle(request, reply));
      // What is known at once is answered at once, without a turn of the event loop.
      if (!(answer instanceof Promise)) return send(answer, reply);
      if (!workload || route.lasting) return answer.then((ready) => sendReady(ready, reply));
      workload.begin();
      return answer.then(
        (ready) => {
          workload.end();
          return sendReady(ready, reply);
        },
        (error: unknown) => {
          workload.end();
          throw error;
        },
      );
    },
  });

  function handle(request: FastifyRequest, reply: FastifyReply) {
    const params = request.params as Record<string, string>;
    if (hasParameters) checkParameters(params);
    const query = takesOwnParameters ? parseQuery(route.query, request.query) : undefined;
    const body = parseOrRefuse(route.body, request.body, "invalid_request_body");
    if (hasParameters) refuseImpossibleIds(params);
    return route.handle(new RouteCall(request, reply, { params, query, body, limits }));
  }
}

function sendReady(answer: Answer | undefined, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  return answer?.later ? answer.later.then((later) => send(later, reply)) : send(answer, reply);
}

function send(answer: Answer | undefined, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  if (!answer) return reply;
  if (isLong(answer.body)) return sendLong(answer, reply);
  return isLargeJson(answer.body) ? sendInTurn(answer, reply) : sendNow(answer, reply);
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
): FastifyReply {
  const refusal = toRefusal(error, options.isUnavailable);
  if (!refusal) {
    // The route's pattern, never the address: a webhook's address holds its secret.
    options.logger.error(
      {
        err: error,
        requestId: request.id,
        route: request.routeOptions.url,
        traceId: parseTraceparent(request.headers["traceparent"])?.traceId,
      },
      "request failed",
    );
  }
  const isOpen = request.routeOptions.config.route?.access === "open";
  if (!isOpen && !reply.hasHeader("x-ratelimit-limit")) options.limits.showGuesses(request, reply);
  return sendRefusal(refusal ?? new Refusal("internal_error"), request, reply);
}
