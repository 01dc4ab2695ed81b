/** One line of the result: what was measured, against what, and whether the bar is met. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly service: number;
  /** The bare reference, or the same service under the smaller load. */
  readonly reference?: number;
  /** What is compared with the bar: a ratio where there is a reference, the figure itself otherwise. */
  readonly bar?: { readonly least: number } | { readonly most: number };
  readonly note?: string;
}

export function measureOf({ service, reference }: Figure): number {
  return reference === undefined ? service : service / reference;
}

export function isMet(figure: Figure): boolean {
  const { bar } = figure;
  if (!bar) return true;
  const measure = measureOf(figure);
  return "least" in bar ? measure >= bar.least : measure <= bar.most;
}

const HEADINGS = ["figure", "service", "reference", "ratio", "bar", "ok"];

export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${round(figure.service)} ${figure.unit}`,
    figure.reference === undefined ? "" : `${round(figure.reference)} ${figure.unit}`,
    figure.reference === undefined ? "" : measureOf(figure).toFixed(2),
    barText(figure),
    figure.bar ? (isMet(figure) ? "yes" : "NO") : "",
    figure.note ?? "",
  ]);
  const widths = HEADINGS.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => row[at]!.length)),
  );
  return [[...HEADINGS, ""], ...rows]
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function barText({ bar, reference, unit }: Figure): string {
  if (!bar) return "";
  const suffix = reference === undefined ? ` ${unit}` : "";
  return "least" in bar ? `≥ ${bar.least}${suffix}` : `≤ ${bar.most}${suffix}`;
}

function round(value: number): string {
  if (!Number.isFinite(value)) return "—";
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
