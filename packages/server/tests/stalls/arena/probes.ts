import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory } from "../../support/child-millrace.ts";
import type { ProbeFigures } from "./probe.ts";

const PROBE = new URL("probe.ts", import.meta.url).href;

interface Probe {
  readonly name: string;
  readonly pid: number;
  readonly socket: Socket;
  readonly answers: ((line: string | undefined) => void)[];
}

/** Where the probes of all measured processes report. */
export class Probes {
  readonly #path: string;
  readonly #close: () => Promise<void>;
  readonly #probes = new Set<Probe>();

  private constructor(path: string, close: () => Promise<void>) {
    this.#path = path;
    this.#close = close;
  }

  static async open(): Promise<Probes> {
    const directory = await temporaryDirectory();
    const path = join(directory.path, "probes");
    const server = createServer((socket) => probes.#accept(socket)).listen(path);
    await once(server, "listening");
    const probes: Probes = new Probes(path, async () => {
      for (const { socket } of probes.#probes) socket.destroy();
      server.close();
      await directory.remove();
    });
    return probes;
  }

  /** Whatever Node process is started with this, and its children that inherit it, reports here. */
  environmentOf(name: string): Record<string, string> {
    return {
      NODE_OPTIONS: `--import=${PROBE}`,
      STALL_PROBE_SOCKET: this.#path,
      STALL_PROBE_NAME: name,
    };
  }

  pidsOf(name: string): number[] {
    return this.#of(name).map(({ pid }) => pid);
  }

  /** The largest figures of all processes with this name; undefined where one does not answer in time. */
  async figures(
    name: string,
    command: "begin" | "read" | "profile",
    maxMs: number,
  ): Promise<ProbeFigures | undefined> {
    const lines = await this.#ask(name, command, maxMs);
    if (!lines) return undefined;
    const all = lines.map((line) => JSON.parse(line) as ProbeFigures);
    return {
      cpuMs: Math.max(0, ...all.map(({ cpuMs }) => cpuMs)),
      wallMs: Math.max(0, ...all.map(({ wallMs }) => wallMs)),
      totalCpuMs: Math.max(0, ...all.map(({ totalCpuMs }) => totalCpuMs)),
    };
  }

  /** Where the time went since the profile was begun. */
  async hottest(name: string, maxMs: number): Promise<string[]> {
    const lines = (await this.#ask(name, "hottest", maxMs)) ?? [];
    const frames = lines.flatMap((line) => JSON.parse(line) as string[]);
    return frames.toSorted((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10));
  }

  close(): Promise<void> {
    return this.#close();
  }

  #of(name: string): Probe[] {
    return [...this.#probes].filter((probe) => probe.name === name);
  }

  async #ask(name: string, command: string, maxMs: number): Promise<string[] | undefined> {
    const late = new AbortController();
    const asked = this.#of(name).map(({ socket, answers }) => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      answers.push(resolve);
      socket.write(`${command}\n`);
      return promise;
    });
    const lines = await Promise.race([
      Promise.all(asked),
      sleep(maxMs, undefined, { signal: late.signal }).catch(() => {}),
    ]);
    late.abort();
    // A process that ended has no answer; that it ended is noticed elsewhere.
    return lines?.filter((line) => line !== undefined);
  }

  #accept(socket: Socket): void {
    let probe: Probe | undefined;
    socket.on("error", () => {});
    socket.on("close", () => {
      if (!probe) return;
      this.#probes.delete(probe);
      for (const answer of probe.answers.splice(0)) answer(undefined);
    });
    const lines = createInterface({ input: socket });
    lines.on("error", () => {});
    lines.on("line", (line) => {
      if (probe) return probe.answers.shift()?.(line);
      const { name, pid } = JSON.parse(line) as { name: string; pid: number };
      probe = { name, pid, socket, answers: [] };
      this.#probes.add(probe);
    });
  }
}
