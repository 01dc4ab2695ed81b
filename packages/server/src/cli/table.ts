type Cell = string | number | boolean | null | undefined | Date | readonly string[];

/** Rows under their headings, in columns as wide as they need to be. */
export function table(rows: readonly Record<string, Cell>[]): string {
  const [first] = rows;
  if (!first) return "Nothing to show.";
  const headings = Object.keys(first);
  const lines = [
    headings.map((heading) => heading.toUpperCase()),
    ...rows.map((row) => headings.map((heading) => text(row[heading]))),
  ];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function text(cell: Cell): string {
  if (cell === null || cell === undefined || cell === "") return "-";
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace("T", " ");
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell === "object") return cell.join(", ") || "-";
  return String(cell);
}
