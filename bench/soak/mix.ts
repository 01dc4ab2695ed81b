import type { Client } from "./client.ts";
import { AGENT, FLOWS } from "./workspace.ts";

const REMEMBERED = 1_000;
const MESSAGES_A_SESSION = 10;

/** What users of the service do, in the proportions they do it. */
export class Mix {
  readonly #client: Client;
  readonly #webhookPath: string;
  readonly #runs: string[] = [];
  readonly #shares: readonly (readonly [share: number, work: () => Promise<unknown>])[];
  #session: { id: string; messages: number } | undefined;

  constructor(client: Client, webhookPath: string) {
    this.#client = client;
    this.#webhookPath = webhookPath;
    this.#shares = [
      [45, () => this.#trigger(FLOWS.short)],
      [15, () => this.#client.json("POST", this.#webhookPath, { name: "Ada" })],
      [8, () => this.#trigger(FLOWS.steps)],
      [2, () => this.#trigger(FLOWS.code)],
      [12, () => this.#read("")],
      [5, () => this.#read("/nodes")],
      [5, () => this.#client.json("GET", "/api/runs?page[size]=20")],
      [
        3,
        () =>
          this.#client.json("GET", `/api/flows/${FLOWS.short}/runs?page[size]=20&filter[status]=COMPLETED`),
      ],
      [2, () => this.#watch()],
      [2, () => this.#cancel()],
      [1, () => this.#chat()],
    ];
  }

  /** One thing, chosen by chance. */
  once(): Promise<unknown> {
    let at = Math.random() * this.#shares.reduce((sum, [share]) => sum + share, 0);
    const [, work] = this.#shares.find(([share]) => (at -= share) < 0) ?? this.#shares[0]!;
    return work();
  }

  async #trigger(flowId: string): Promise<string> {
    const body = { payload: { flowId, data: { name: "Ada" } } };
    const { id: runId } = await this.#client.json<{ id: string }>("POST", "/api/runs", body);
    this.#runs.push(runId);
    if (this.#runs.length > REMEMBERED) this.#runs.shift();
    return runId;
  }

  async #read(part: string): Promise<void> {
    const runId = this.#runs[Math.floor(Math.random() * this.#runs.length)];
    if (runId) await this.#client.json("GET", `/api/runs/${runId}${part}`);
  }

  async #watch(): Promise<void> {
    await this.#client.stream("GET", `/api/runs/${await this.#trigger(FLOWS.second)}/stream`);
  }

  async #cancel(): Promise<void> {
    await this.#client.json("POST", `/api/runs/${await this.#trigger(FLOWS.long)}/cancel`, {});
  }

  /** A session takes one message at a time, so whoever takes it out puts it back. */
  async #chat(): Promise<void> {
    const session = this.#session ?? (await this.#createSession());
    this.#session = undefined;
    const path = `/api/agents/${AGENT}/sessions/${session.id}/messages`;
    await this.#client.stream("POST", path, { message: "What did I say before?" });
    session.messages += 1;
    if (session.messages < MESSAGES_A_SESSION) this.#session = session;
  }

  async #createSession(): Promise<{ id: string; messages: number }> {
    const { sessionId } = await this.#client.json<{ sessionId: string }>(
      "POST",
      `/api/agents/${AGENT}/sessions`,
      {},
    );
    return { id: sessionId, messages: 0 };
  }
}
