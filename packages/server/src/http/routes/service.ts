import { z } from "zod";
import { writeJson } from "../../domain/write-json.ts";
import { Refusal } from "../../domain/refusal.ts";
import { driveSliced, type Sliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { consoleHeaders } from "../console/policy.ts";
import { buildDocsPage } from "../docs/docs-page.ts";
import type { OpenApi } from "../docs/open-api-types.ts";
import { buildOpenApi } from "../openapi/document.ts";
import { pageStyle } from "../pages/style.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ServiceProbes {
  /** Throws, or answers false, when the service should get no traffic. */
  ready(): Promise<boolean>;
  metrics(): Promise<{ contentType: string; text: string }>;
}

const status = z.strictObject({ status: z.string() });
const common = { method: "GET", tag: "Service", access: "open", errors: [] } as const;

/** What an answer takes to be sent: whoever waited for the same one goes on in the same moment. */
const SENDING_MS = 0.1;

/**
 * Nobody needs a key to ask these. So whoever asks while an answer is being made gets that one, and as many as wait for
 * it are sent it in several turns.
 */
function together<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let underWay: Promise<Made> | undefined;
  return async () => {
    underWay ??= make().finally(() => (underWay = undefined));
    const made = await underWay;
    await eventLoop.giveWay("", SENDING_MS);
    return made;
  };
}

/** What operators and their machines ask: is it alive, is it ready, how is it doing. */
export function probeRoutes(probes: ServiceProbes): Route[] {
  const readiness = together(() => probes.ready().catch(() => false));
  const figures = together(() => probes.metrics());
  return [
    defineRoute({
      ...common,
      path: "/healthz",
      name: "health",
      summary: "Whether the process is alive",
      answers: { 200: { description: "Alive", schema: status } },
      handle: () => ({ status: 200, body: { status: "ok" } }),
    }),
    defineRoute({
      ...common,
      path: "/readyz",
      name: "readiness",
      summary: "Whether the process should get traffic",
      answers: { 200: { description: "Ready", schema: status } },
      errors: ["service_unavailable"],
      async handle() {
        if (!(await readiness())) throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
        return { status: 200, body: { status: "ready" } };
      },
    }),
    defineRoute({
      ...common,
      path: "/metrics",
      name: "metrics",
      summary: "Figures in Prometheus text format",
      answers: { 200: { description: "Metrics", type: "text/plain" } },
      async handle() {
        const { contentType, text } = await figures();
        return { status: 200, body: text, headers: { "content-type": contentType } };
      },
    }),
  ];
}

/** Who asks first makes others wait no longer than anybody else does. */
async function inTurns<Made>(making: Sliced<Made>): Promise<Made> {
  return driveSliced(making, () => eventLoop.giveWay(""));
}

/** The documentation of all routes, itself included. */
export function documentationRoutes(others: readonly Route[], version: string): Route[] {
  const routes: Route[] = [];
  const page = (path: string, name: string, summary: string, type: string, make: () => Sliced<string>) => {
    // As bytes: whoever asks a thousand times costs no thousand conversions.
    let body: Promise<Buffer> | undefined;
    return defineRoute({
      ...common,
      path,
      name,
      summary,
      answers: { 200: { description: summary, type: type.split(";")[0] } },
      async handle() {
        body ??= inTurns(make()).then((text) => Buffer.from(text));
        return {
          status: 200,
          body: await body,
          isKept: true,
          headers: { ...consoleHeaders, "content-type": type },
        };
      },
    });
  };
  let document: Promise<object> | undefined;
  function* openApi(): Sliced<object> {
    document ??= inTurns(buildOpenApi([...others, ...routes], version));
    return (yield document) as object;
  }
  routes.push(
    page(
      "/openapi.json",
      "openApi",
      "This API as an OpenAPI 3.1 document",
      "application/json; charset=utf-8",
      function* () {
        return yield* writeJson(yield* openApi());
      },
    ),
    page("/docs", "docs", "This API as a page to read", "text/html; charset=utf-8", function* () {
      return yield* buildDocsPage((yield* openApi()) as OpenApi);
    }),
    page(
      "/docs/style.css",
      "docsStyle",
      "The style of that page",
      "text/css; charset=utf-8",
      // oxlint-disable-next-line require-yield -- it is known at once
      function* () {
        return pageStyle;
      },
    ),
  );
  return routes;
}
