/** The part of a CPU profile of V8 that is read here. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

const MAX_FRAMES = 8;

/** Where the time of one turn went: the functions with the most of it, each with the function of ours that called it. */
export function hottestFrames(
  { nodes, startTime, samples = [], timeDeltas = [] }: Profile,
  { fromMicros, toMicros }: { readonly fromMicros: number; readonly toMicros: number },
): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const spentMicros = new Map<string, number>();
  let atMicros = startTime;
  samples.forEach((id, at) => {
    atMicros += timeDeltas[at] ?? 0;
    if (atMicros < fromMicros || atMicros > toMicros) return;
    const { callFrame } = byId.get(id)!;
    if (/^\((idle|program)\)$/.test(callFrame.functionName) || callFrame.url === "node:inspector") return;
    const place = ours(id)?.callFrame;
    const caller = place && place !== callFrame ? ` under ${describe(place)}` : "";
    const frame = `${describe(callFrame)}${caller}`;
    spentMicros.set(frame, (spentMicros.get(frame) ?? 0) + (timeDeltas[at] ?? 0));
  });
  return [...spentMicros]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_FRAMES)
    .map(([frame, micros]) => `${Math.round(micros / 1000)} ms ${frame}`);

  function ours(id: number) {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const node = byId.get(at)!;
      if (/packages\/\w+\/src\//.test(node.callFrame.url)) return node;
    }
    return undefined;
  }
}

function describe({ functionName, url, lineNumber }: Profile["nodes"][number]["callFrame"]): string {
  const file = url.replace(/^.*\/(packages|node_modules)\//, "");
  return `${functionName || "(anonymous)"}${file ? ` ${file}:${lineNumber + 1}` : ""}`;
}
