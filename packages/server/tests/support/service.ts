import { toConfig } from "../../src/config/load-config.ts";
import type { ServiceRole } from "../../src/compose/foundation.ts";
import { type Service, startService } from "../../src/service.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createLogger, type Logger } from "../../src/telemetry/logger.ts";
import type { ChatSettings } from "../../src/operations/agent-chat/chat-settings.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

export const testSecretKey = Buffer.alloc(32, 7);

export interface TestService extends Service {
  readonly database: TestDatabase;
  readonly secrets: SecretBox;
  /** Runs that could not be executed, as they are logged. Who expects some takes them out; the others fail the test. */
  readonly faults: string[];
  get(path: string, key?: string, headers?: Record<string, string>): Promise<TestAnswer>;
  send(
    method: string,
    path: string,
    options: { key?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<TestAnswer>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** The whole service in this process, on a database of its own, with limits off unless a test turns them on. */
export async function startTestService(
  env: Record<string, string> = {},
  options: { role?: ServiceRole; database?: TestDatabase; chatSettings?: ChatSettings; logger?: Logger } = {},
): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const secrets = new SecretBox(testSecretKey);
  const config = toConfig({
    PORT: "0",
    MILLRACE_REQUESTS_AT_ONCE: "0",
    MILLRACE_REQUESTS_PER_MINUTE: "0",
    MILLRACE_BAD_KEYS_PER_MINUTE: "0",
    MILLRACE_EGRESS_ALLOW: "127.0.0.0/8",
    ...env,
  });
  const faults: string[] = [];
  const service = await startService({
    config,
    role: options.role ?? "all",
    database: { ...database, secrets, embedded: false, announce: () => {}, close: async () => {} },
    logger: options.logger ?? faultLogger(faults),
    ...(options.chatSettings && { chatSettings: options.chatSettings }),
  });
  const send: TestService["send"] = async (method, path, { key, body, headers }) => {
    const answer = await fetch(service.address + path, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json");
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
    };
  };
  return {
    ...service,
    database,
    secrets,
    faults,
    send,
    get: (path, key, headers) => send("GET", path, { key, headers }),
    stop: async () => {
      await service.stop();
      if (!options.database) await database.drop();
      if (faults.length > 0) throw new Error(`The service has repaired a fault of its own: ${faults[0]}`);
    },
  };
}

/** Such a run is executed again: whoever looks at its end alone would not notice. */
function faultLogger(faults: string[]): Logger {
  const write = (line: string) => {
    if (line.includes("a run could not be executed")) faults.push(line);
  };
  return createLogger({ level: "error", format: "json", terminal: false, stream: { write } });
}
