export interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  /** One or two; their values are always from a small fixed set. */
  readonly labels: readonly [string, string?];
  readonly buckets: readonly number[];
}

interface Series {
  readonly labels: string;
  readonly buckets: number[];
  sum: number;
  count: number;
}

/**
 * Observations in Prometheus text. Written by hand because it is in the path of every request and every node: an
 * observation is a look into two maps and three additions.
 */
export class Histogram {
  readonly #options: HistogramOptions;
  readonly #series = new Map<string, Map<string | number, Series>>();

  constructor(options: HistogramOptions) {
    this.#options = options;
  }

  observe(value: number, first: string, second: string | number = ""): void {
    const series = this.#find(first, second);
    const bounds = this.#options.buckets;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1;
    if (bucket < bounds.length) series.buckets[bucket]!++;
    series.sum += value;
    series.count++;
  }

  #find(first: string, second: string | number): Series {
    let inner = this.#series.get(first);
    if (!inner) this.#series.set(first, (inner = new Map()));
    let series = inner.get(second);
    if (!series) {
      const [one, two] = this.#options.labels;
      const labels = `${one}="${first}"${two === undefined ? "" : `,${two}="${second}"`}`;
      series = { labels, buckets: this.#options.buckets.map(() => 0), sum: 0, count: 0 };
      inner.set(second, series);
    }
    return series;
  }

  render(): string {
    const { name, help, buckets: bounds } = this.#options;
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
    for (const { labels, buckets, sum, count } of [...this.#series.values()].flatMap((inner) => [
      ...inner.values(),
    ])) {
      let below = 0;
      for (const [at, bound] of bounds.entries()) {
        below += buckets[at]!;
        lines.push(`${name}_bucket{le="${bound}",${labels}} ${below}`);
      }
      lines.push(
        `${name}_bucket{le="+Inf",${labels}} ${count}`,
        `${name}_sum{${labels}} ${sum}`,
        `${name}_count{${labels}} ${count}`,
      );
    }
    return `${lines.join("\n")}\n`;
  }
}
