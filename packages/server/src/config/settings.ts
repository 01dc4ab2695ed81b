import { z } from "zod";
import {
  cidrList,
  headerList,
  httpUrl,
  list,
  postgresUrl,
  ratio,
  secretKey,
  stallLimit,
  wholeNumber,
} from "./setting-values.ts";

interface Setting {
  readonly variable: string;
  readonly schema: z.ZodType<unknown, string>;
  readonly fallback?: string;
  readonly secret?: boolean;
  readonly help: string;
}

function setting<S extends z.ZodType<unknown, string>, F extends string | undefined = undefined>(
  variable: string,
  schema: S,
  help: string,
  options: { fallback?: F; secret?: boolean } = {},
) {
  return { variable, schema, help, ...options } as Setting & { schema: S; fallback: F };
}

/** Every setting there is. README's table and `millrace config` are this table. */
export const settings = {
  databaseUrl: setting(
    "DATABASE_URL",
    postgresUrl,
    "PostgreSQL 15 or newer, host:5432,host:5432 for a primary and its standby; without it Millrace runs its own",
    {
      secret: true,
    },
  ),
  dataDirectory: setting(
    "MILLRACE_DATA_DIR",
    z.string().min(1),
    "where the built-in PostgreSQL keeps its data",
    {
      fallback: ".millrace",
    },
  ),
  host: setting("HOST", z.string().min(1), "address to listen on", { fallback: "127.0.0.1" }),
  port: setting("PORT", wholeNumber(0, 65_535), "port to listen on", { fallback: "4000" }),
  publicUrl: setting("MILLRACE_PUBLIC_URL", httpUrl, "address callers use, if it differs from HOST and PORT"),
  webUrl: setting(
    "MILLRACE_WEB_URL",
    httpUrl,
    "address inbound webhooks use, if it differs from the public one",
  ),
  secretKey: setting(
    "MILLRACE_SECRET_KEY",
    secretKey,
    "encrypts stored secrets; required with DATABASE_URL",
    {
      secret: true,
    },
  ),
  previousSecretKeys: setting(
    "MILLRACE_PREVIOUS_SECRET_KEYS",
    list.pipe(z.array(secretKey)),
    "old keys that still decrypt while a new one is rolled out",
    { fallback: "", secret: true },
  ),
  poolSize: setting("MILLRACE_POOL_SIZE", wholeNumber(2, 200), "max database connections per process", {
    fallback: "10",
  }),
  workerConcurrency: setting(
    "MILLRACE_WORKER_CONCURRENCY",
    wholeNumber(1, 10_000),
    "max runs one process executes at once; one organization gets up to three quarters of them",
    {
      fallback: "256",
    },
  ),
  runMemoryMb: setting(
    "MILLRACE_RUN_MEMORY_MB",
    wholeNumber(1),
    "approximate memory in megabytes for the values of all runs in one process; large runs wait for each other",
    { fallback: "64" },
  ),
  requestsAtOnce: setting(
    "MILLRACE_REQUESTS_AT_ONCE",
    wholeNumber(0),
    "max API requests one process handles at once; 0 = no limit",
    { fallback: "256" },
  ),
  connections: setting(
    "MILLRACE_CONNECTIONS",
    wholeNumber(0),
    "max connections to one process, at most half of the files it may open; one address gets up to three quarters; 0 = no limit",
    { fallback: "10000" },
  ),
  requestsPerMinute: setting(
    "MILLRACE_REQUESTS_PER_MINUTE",
    wholeNumber(0),
    "max API requests per user and minute; 0 = no limit",
    {
      fallback: "1500",
    },
  ),
  badKeysPerMinute: setting(
    "MILLRACE_BAD_KEYS_PER_MINUTE",
    wholeNumber(0),
    "max wrong keys or tokens per IP address and minute; 0 = no limit",
    {
      fallback: "20",
    },
  ),
  webhookRequestsPer10Seconds: setting(
    "MILLRACE_WEBHOOK_REQUESTS_PER_10S",
    wholeNumber(0),
    "max webhook calls per IP address and organization in 10 s; 0 = no limit",
    { fallback: "60" },
  ),
  webhookRequestsPerIp: setting(
    "MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S",
    wholeNumber(0),
    "max webhook calls per IP address in 10 s; 0 = no limit",
    { fallback: "300" },
  ),
  oidcIssuer: setting(
    "MILLRACE_OIDC_ISSUER",
    z.url({ protocol: /^https?$/, error: "must be an http or https address" }),
    "issuer of an OpenID Connect provider that members sign in with, to the console and at /mcp",
  ),
  oidcClientId: setting("MILLRACE_OIDC_CLIENT_ID", z.string().min(1), "client id at that provider"),
  oidcClientSecret: setting(
    "MILLRACE_OIDC_CLIENT_SECRET",
    z.string().min(1),
    "client secret at that provider",
    {
      secret: true,
    },
  ),
  trustProxy: setting(
    "MILLRACE_TRUST_PROXY",
    cidrList,
    "networks of proxies whose X-Forwarded-For is trusted",
    {
      fallback: "",
    },
  ),
  egressAllow: setting(
    "MILLRACE_EGRESS_ALLOW",
    cidrList,
    "private networks that flows and agents may reach",
    {
      fallback: "",
    },
  ),
  retentionDays: setting("MILLRACE_RETENTION_DAYS", wholeNumber(0), "days to keep ended runs; 0 = forever", {
    fallback: "30",
  }),
  stallLimitMs: setting(
    "MILLRACE_STALL_LIMIT",
    stallLimit,
    "max time the event loop may block before the process is ended, such as 10s; 0 = no limit",
    { fallback: "10s" },
  ),
  supervise: setting(
    "MILLRACE_SUPERVISE",
    z.enum(["on", "off"], "must be on or off"),
    "whether `start` restarts the service when it ends unexpectedly; off if something else does",
    { fallback: "on" },
  ),
  demo: setting(
    "MILLRACE_DEMO",
    z.enum(["on", "flows", "off"], "must be on, flows or off"),
    "load the demo workspace into an empty built-in database; flows: without runs",
    {
      fallback: "on",
    },
  ),
  console: setting(
    "MILLRACE_CONSOLE",
    z.enum(["on", "off"], "must be on or off"),
    "serve the web console under /console",
    { fallback: "on" },
  ),
  logLevel: setting(
    "MILLRACE_LOG_LEVEL",
    z.enum(
      ["trace", "debug", "info", "warn", "error", "silent"],
      "must be trace, debug, info, warn, error or silent",
    ),
    "log level",
    { fallback: "info" },
  ),
  tracesEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    httpUrl,
    "collector that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318; unset: none are made",
  ),
  tracesHeaders: setting("OTEL_EXPORTER_OTLP_HEADERS", headerList, "headers for it: name=value,name=value", {
    fallback: "",
    secret: true,
  }),
  tracesRatio: setting(
    "OTEL_TRACES_SAMPLER_ARG",
    ratio,
    "which part of the runs is traced, 0 to 1; a caller that brings a traceparent decides for itself",
    { fallback: "1" },
  ),
  serviceName: setting("OTEL_SERVICE_NAME", z.string().min(1), "what the service is called in traces", {
    fallback: "millrace",
  }),
  logFormat: setting(
    "MILLRACE_LOG_FORMAT",
    z.enum(["auto", "pretty", "json"], "must be auto, pretty or json"),
    "auto: pretty on a terminal",
    {
      fallback: "auto",
    },
  ),
};

export type Config = {
  readonly [Name in keyof typeof settings]:
    | z.output<(typeof settings)[Name]["schema"]>
    | ((typeof settings)[Name]["fallback"] extends string ? never : undefined);
};
