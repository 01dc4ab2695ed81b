const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const NAME = "millrace_http_request_seconds";

interface Series {
  readonly route: string;
  readonly status: number;
  readonly buckets: number[];
  sum: number;
  count: number;
}

/**
 * Answered requests by route and status, in Prometheus text. Written by hand because it is in the path of every
 * request: an observation is a look into two maps and three additions.
 */
export class RequestHistogram {
  readonly #routes = new Map<string, Map<number, Series>>();

  observe(route: string, status: number, seconds: number): void {
    const series = this.#series(route, status);
    const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket]!++;
    series.sum += seconds;
    series.count++;
  }

  #series(route: string, status: number): Series {
    let statuses = this.#routes.get(route);
    if (!statuses) this.#routes.set(route, (statuses = new Map()));
    let series = statuses.get(status);
    if (!series) {
      series = { route, status, buckets: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 };
      statuses.set(status, series);
    }
    return series;
  }

  render(): string {
    const lines = [`# HELP ${NAME} Answered requests by route and status`, `# TYPE ${NAME} histogram`];
    for (const { route, status, buckets, sum, count } of [...this.#routes.values()].flatMap((statuses) => [
      ...statuses.values(),
    ])) {
      const labels = `route="${route}",status="${status}"`;
      let below = 0;
      for (const [at, bound] of BUCKETS_SECONDS.entries()) {
        below += buckets[at]!;
        lines.push(`${NAME}_bucket{le="${bound}",${labels}} ${below}`);
      }
      lines.push(
        `${NAME}_bucket{le="+Inf",${labels}} ${count}`,
        `${NAME}_sum{${labels}} ${sum}`,
        `${NAME}_count{${labels}} ${count}`,
      );
    }
    return `${lines.join("\n")}\n`;
  }
}
