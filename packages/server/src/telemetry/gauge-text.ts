export type GaugeValues =
  | number
  | { readonly label: string; readonly values: Readonly<Record<string, number>> };

/** A gauge in Prometheus text, for figures that are known now or are better left out. */
export function gaugeText(name: string, help: string, values: GaugeValues): string {
  const lines =
    typeof values === "number"
      ? [`${name} ${values}`]
      : Object.entries(values.values).map(([of, value]) => `${name}{${values.label}="${of}"} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines, ""].join("\n");
}
