import type { Case } from "./case.ts";
import { compare } from "./compare.ts";
import { isDryRunnable, runDry } from "./dry-run.ts";
import { type Prepared, prepare } from "./prepare.ts";
import type { Receiver } from "./receiver.ts";
import { type Sample, sampleOf, shrink } from "./sampling.ts";
import type { TorturedService } from "./service/service.ts";

export interface Finding {
  readonly seed: number;
  readonly number: number;
  /** Who disagreed with the interpreter. */
  readonly by: "flows run" | "the service";
  readonly faults: readonly string[];
  /** The smallest case that was found, and why it fails. */
  readonly smallest: Prepared;
  readonly smallestFaults: readonly string[];
}

export interface Options {
  readonly receiver: Receiver;
  /** Without it there are only dry runs. */
  readonly service: TorturedService | undefined;
  /** Cases under way at once. */
  readonly atOnce: number;
  readonly shrinkMs: number;
  /** Also as a dry run where there is a service. */
  readonly dry: boolean;
  readonly onCase?: (done: number) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/** All cases of a process, so that several tortures can share one service. */
let names = 0;

/** Runs the cases of a seed, many at once; what comes out of each must be what the interpreter foretold. */
export class Torture {
  readonly findings: Finding[] = [];
  readonly #options: Options;
  done = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  async run(seed: number, numbers: Iterable<number>): Promise<void> {
    const queue = numbers[Symbol.iterator]();
    const lane = async (): Promise<void> => {
      for (let next = queue.next(); next.done !== true; next = queue.next()) {
        await this.#try(seed, next.value);
        this.done += 1;
        this.#options.onCase?.(this.done);
      }
    };
    await Promise.all(Array.from({ length: this.#options.atOnce }, lane));
  }

  async #try(seed: number, number: number): Promise<void> {
    const { service, dry } = this.#options;
    const sample = sampleOf(seed, number);
    // The dry run first: where both disagree, it is made small more quickly.
    const isDry = number % SANDBOXED_DRY_RUNS === 0 || !usesSandbox(sample.value);
    if ((dry || !service) && isDry) {
      const faults = await this.#dry(sample.value);
      if (faults.length > 0) return this.#report({ seed, number, by: "flows run" }, sample, faults);
    }
    if (!service) return;
    const faults = await this.#served(sample.value);
    if (faults.length > 0) await this.#report({ seed, number, by: "the service" }, sample, faults);
  }

  async #report(
    found: Pick<Finding, "seed" | "number" | "by">,
    sample: Sample,
    faults: readonly string[],
  ): Promise<void> {
    const check = (torture: Case) => (found.by === "flows run" ? this.#dry(torture) : this.#served(torture));
    const untilMs = performance.now() + this.#options.shrinkMs;
    const smallest = await shrink(sample, faults, { check, untilMs });
    const finding = {
      ...found,
      faults,
      smallest: this.#prepare(smallest.torture),
      smallestFaults: smallest.faults,
    };
    this.findings.push(finding);
    this.#options.onFinding?.(finding);
  }

  #prepare(torture: Case): Prepared {
    const number = ++names;
    return prepare(torture, {
      caseId: `case${number}`,
      organizationId: this.#options.service?.organizationOf(number) ?? "org_one",
      receiverUrl: this.#options.receiver.url,
    });
  }

  async #dry(torture: Case): Promise<string[]> {
    const prepared = this.#prepare(torture);
    if (!isDryRunnable(prepared)) return [];
    return compare(torture, prepared.expected(1), await runDry(prepared, this.#options.receiver));
  }

  async #served(torture: Case): Promise<string[]> {
    const prepared = this.#prepare(torture);
    const observed = await this.#options.service!.run(prepared);
    return compare(torture, prepared.expected(torture.maxAttempts), observed);
  }
}

/** A dry run starts a sandbox of its own, which takes longer than all the rest of it: one in so many is enough. */
const SANDBOXED_DRY_RUNS = 5;

function usesSandbox(torture: Case): boolean {
  return /"(?:code|chance|shuffled)"/.test(JSON.stringify(torture));
}
