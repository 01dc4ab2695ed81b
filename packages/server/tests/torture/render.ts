import type { Block, Case, Program, Source, Step } from "./case.ts";
import { type FlowDocument, Graph, type Open, type Port, type Surroundings } from "./graph.ts";
import {
  asText,
  CHANCES,
  hereOf,
  itemsOf,
  parallelSource,
  pathOf,
  planOf,
  read,
  type Scope,
  settings,
  written,
} from "./inputs.ts";
import * as places from "./places.ts";

/** Seconds that a late node may take. */
const LATE_SECONDS = 0.6;

/** The documents of a case: its flow first, then those that it calls. */
export function render(torture: Case, surroundings: Surroundings): FlowDocument[] {
  return [...places.programsOf(torture)].map(([name, program]) => ({
    kind: "Flow",
    id: places.flowIdOf(surroundings.caseId, name),
    organizationId: surroundings.organizationId,
    name,
    graph: new Flow(surroundings).program(program),
  }));
}

class Flow extends Graph {
  program({ steps, returns }: Program): FlowDocument["graph"] {
    const scope: Scope = { parentId: undefined, loops: 0 };
    this.nodes.push({ id: "start", type: "start", data: {} });
    const open = this.block(steps, places.ROOT_PREFIX, scope, {
      ports: [{ id: "start" }],
      before: places.FIRST,
    });
    this.end(places.ROOT_PREFIX, scope, open, returns);
    return { nodes: this.nodes, edges: this.edges };
  }

  protected block(block: Block, prefix: string, scope: Scope, open: Open): Open {
    let state = open;
    for (const [index, step] of block.entries()) {
      if (state.ports === undefined) return state;
      const id = places.idOf(prefix, index);
      const ports = this.step(step, id, scope, state as Open & { ports: readonly Port[] });
      state = { ports, before: places.madeBy(step, id, state.before) };
    }
    return state;
  }

  protected step(
    step: Step,
    id: string,
    scope: Scope,
    { ports: from, before }: Open & { ports: readonly Port[] },
  ): readonly Port[] | undefined {
    const write = (source: Source) => written(source, before, scope);
    const add = (type: string, inputs: object, more: object = {}) =>
      this.add(id, type, scope, from, { inputs, ...more });
    switch (step.kind) {
      case "set":
        return add("set", { values: { v: write(step.value) } });
      case "template":
        return add("template", { text: asText(write(step.value)) });
      case "transform":
        return add("transform", { input: { a: write(step.value) }, expression: `{"v": a, "n": 7}` });
      case "code": {
        const source = step.throws ? `throw new Error("no");` : `return { v: input.v };`;
        add("code", { input: { v: write(step.value) }, source }, settings(step.failing));
        return this.handled(step, id, scope, before);
      }
      case "chance":
        return step.how.startsWith("code")
          ? add("code", { source: CHANCES[step.how] })
          : add("transform", { expression: CHANCES[step.how] });
      case "first": {
        const ids = places.firstOf(id);
        const ports = ids.flatMap((each) => this.call(each, scope, from, {}));
        const seen = Object.fromEntries(ids.map((each) => [each, `{{ nodes.${each}.status }}`]));
        const values = { value: { ...seen, at: "{{ $millis() }}" } };
        return this.add(id, "set", scope, ports, { inputs: { values }, join: "any" });
      }
      case "call":
        this.call(
          id,
          scope,
          from,
          { body: { v: write(step.value) }, plan: planOf(step.answer) },
          {
            ...settings(step.failing),
            ...(step.answer.kind === "late" && { timeoutSeconds: LATE_SECONDS }),
          },
        );
        return this.handled(step, id, scope, before);
      case "store": {
        const key = `${this.surroundings.caseId}-${id}-{{ data.at }}`;
        let ports = add("store", { operation: "set", key, value: step.value });
        if (step.forgets)
          ports = this.add(`${id}_del`, "store", scope, ports, { inputs: { operation: "delete", key } });
        return this.add(places.storeReadOf(id), "store", scope, ports, { inputs: { operation: "get", key } });
      }
      case "wait":
        return add("wait", { duration: step.ms / 1_000 });
      case "approval":
        add("approval", {
          message: `${this.surroundings.caseId} ${step.decision} ${step.data}`,
          ...(step.decision === "timeout" && { timeout: "1s" }),
        });
        return this.ways(step, id, scope, before);
      case "child": {
        const flowId = places.flowIdOf(this.surroundings.caseId, `child${step.flow}`);
        const data = { x: write(step.value), at: hereOf(id, scope) };
        add("run-flow", { flowId, data, ...(!step.waits && { wait: false }) }, settings(step.failing));
        return this.handled(step, id, scope, before);
      }
      case "if":
        add("if", { condition: `{{ ${pathOf(step.value, before, scope)} = ${step.equals} }}` });
        return this.ways(step, id, scope, before);
      case "switch": {
        const cases = step.cases.map((_, at) => ({ name: `c${at}`, equals: at }));
        add("switch", { value: write(step.value), cases });
        return this.ways(step, id, scope, before);
      }
      case "parallel": {
        const ends = step.branches.map((branch, at) =>
          this.block(branch, places.wayOf(id, at), scope, { ports: from, before }),
        );
        const sources = ends.map(({ before }, at) => parallelSource(step.mode, read(before), at));
        // What follows would not wait for a branch that leads nowhere.
        if (step.branches.some(places.isClosed)) return undefined;
        return this.join(id, scope, ends, { mode: step.mode, sources });
      }
      case "for-each": {
        const { concurrency, onItemError } = step;
        add("for-each", { items: itemsOf(step.items), concurrency, onItemError }, settings(step.failing));
        this.body(step.body, id, scope, before);
        return this.handled(step, id, scope, before);
      }
      case "while":
        add("while", { condition: `{{ index < ${step.rounds} }}` }, settings(step.failing));
        this.body(step.body, id, scope, before);
        return this.handled(step, id, scope, before);
      case "late-loop": {
        const items = Array.from({ length: step.items }, (_, at) => at);
        const late = { ...settings(step.failing), timeoutSeconds: LATE_SECONDS };
        add("for-each", { items, concurrency: step.concurrency }, late);
        const inside: Scope = { parentId: id, loops: scope.loops + 1 };
        const first = places.idOf(places.bodyOf(id), 0);
        const ports = this.call(first, inside, [], {
          plan: step.slow ? { kind: "ok", ms: 400 } : { kind: "hold" },
        });
        if (!step.slow) this.call(places.neverOf(first), inside, ports, {});
        return this.handled(step, id, scope, before);
      }
      case "late-pause": {
        const late = { ...settings(step.failing), timeoutSeconds: LATE_SECONDS };
        if (step.of === "wait") add("wait", { duration: 30 }, late);
        else if (step.of === "approval")
          add("approval", { message: `${this.surroundings.caseId} nobody 0` }, late);
        else
          add(
            "run-flow",
            { flowId: places.flowIdOf(this.surroundings.caseId, "held"), data: { at: hereOf(id, scope) } },
            late,
          );
        return step.of === "approval"
          ? this.handled(step, id, scope, before, "approved")
          : this.handled(step, id, scope, before);
      }
      case "race":
        this.race(step, id, scope, from, write(step.value));
        return undefined;
      case "return":
        add("return", { value: { v: write(step.value) } });
        return undefined;
      case "fail":
        add("fail", { message: `failed at ${id}` });
        return undefined;
      case "hold": {
        const ports = this.call(id, scope, from, { plan: { kind: "hold" } });
        this.call(places.neverOf(id), scope, ports, {});
        return undefined;
      }
    }
  }

  /** Two branches, of which one ends the flow, or fails, once a call of the other one is under way. */
  protected race(
    { by }: Step & { kind: "race" },
    id: string,
    scope: Scope,
    from: readonly Port[],
    value: unknown,
  ): void {
    const ids = places.raceOf(id);
    const gate = this.call(ids.gate, scope, from, { plan: { kind: "gate", gate: ids.gate, hold: ids.hold } });
    if (by === "return") this.add(ids.winner, "return", scope, gate, { inputs: { value: { v: value } } });
    else if (by === "fail")
      this.add(ids.winner, "fail", scope, gate, { inputs: { message: `failed at ${ids.winner}` } });
    else this.call(ids.winner, scope, gate, { plan: { kind: "fails" } });
    const hold = this.call(ids.hold, scope, from, { plan: { kind: "hold" } });
    this.call(ids.never, scope, hold, {});
  }
}
