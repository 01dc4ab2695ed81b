// What a run means, written down a second time: from the specification, as simply as can be, and knowing nothing of
// databases, workers or time. It foretells how a run ends, which records it leaves and which calls it makes.
import type { Block, Program, Step } from "../case.ts";
import { features } from "../features.ts";
import * as places from "../places.ts";
import { Containers } from "./containers.ts";
import type { ChildPart, Ending, RunExpectation } from "./expectation.ts";
import type { Fallible, Here, Interpretation, Start, Went } from "./paths.ts";
import { Ambiguous, anything, plain, textOf, Unknown, type Value } from "./values.ts";

export function interpret(options: Interpretation): RunExpectation {
  const start: Start = { flow: "root", at: "root", data: options.data, past: new Set() };
  return new Run(options, start).whole(options.torture.root, options.maxAttempts);
}

class Run extends Containers {
  /** Only an error is tried again: what was meant to end the run has ended it. */
  whole(program: Program, maxAttempts: number): RunExpectation {
    for (let attempt = 1; ; attempt++) {
      const endings = this.once(program);
      const isTriedAgain = endings.some(({ kind }) => kind === "error") && attempt < maxAttempts;
      if (isTriedAgain && endings.length > 1) throw new Ambiguous("one of several endings is tried again");
      const past = new Set([...this.start.past, ...this.ledger.callIds()]);
      if (!isTriedAgain) return { at: this.start.at, endings, parts: this.ledger.parts, past };
    }
  }

  protected once({ steps, returns }: Program): readonly Ending[] {
    const { past } = this.start;
    this.ledger.record("start");
    const here: Here = { nodes: {}, before: places.FIRST, keyOf: (id) => id, past };
    const went = this.block(steps, places.ROOT_PREFIX, here);
    if ("endings" in went) return went.endings;
    const id = places.endOf(places.ROOT_PREFIX);
    this.ledger.record(id);
    const output = plain({ v: this.before(went.here) });
    return [{ kind: "return", value: returns ? output : { [id]: output } }];
  }

  protected block(block: Block, prefix: string, start: Here): Went {
    let here = start;
    for (const [index, step] of block.entries()) {
      const id = places.idOf(prefix, index);
      const went = this.step(step, id, here);
      if ("endings" in went) return went;
      here = { ...went.here, before: places.madeBy(step, id, here.before) };
    }
    return { here };
  }

  protected step(step: Step, id: string, here: Here): Went {
    const known = this.ended.get(here.keyOf(id));
    if (known && "failing" in step)
      return known.failed ? this.handle(step, id, here) : this.pass(step, id, here, known.output);
    const value =
      "value" in step && typeof step.value === "object" ? this.read(step.value, here, id) : undefined;
    switch (step.kind) {
      case "set":
        return this.made(here, id, plain({ v: value }));
      case "template":
        return this.made(here, id, { text: textOf(value, this.nameOf(here, id)) });
      case "transform":
        return this.made(here, id, { value: plain({ v: value, n: 7 }) });
      case "chance":
        return this.made(here, id, { value: new Unknown(this.nameOf(here, id)) });
      case "first":
        // The one that lost may be broken off where the flow ends meanwhile.
        for (const each of places.firstOf(id)) {
          this.expectCall(each, here, {}, "maybe");
          this.record(here, each, { certainty: "maybe", statuses: undefined });
        }
        return this.made(here, id, { value: new Unknown(this.nameOf(here, id)) });
      case "code":
        // The same code over the same input fails in the same way.
        if (step.throws) return this.failed(step, id, here, 1);
        return this.succeeded(step, id, here, plain({ v: value }));
      case "call":
        return this.call(step, id, here, plain({ v: value }));
      case "store": {
        const kept = this.made(here, id, { value: step.value }).here;
        const left = step.forgets ? this.made(kept, `${id}_del`, { value: null }).here : kept;
        return this.made(left, places.storeReadOf(id), { value: step.forgets ? null : step.value });
      }
      case "wait":
        return this.made(here, id, { waitedUntil: anything });
      case "approval": {
        const answer = step.decision === "timeout" ? {} : { by: anything, data: { d: step.data } };
        const asked = this.made(here, id, { decision: step.decision, ...answer });
        return this.way(step, id, asked.here, step.decision);
      }
      case "child":
        return this.child(step, id, here, value);
      case "if": {
        if (value instanceof Unknown) throw new Ambiguous("a condition of chance");
        const result = value === step.equals;
        return this.way(step, id, this.made(here, id, { result }).here, String(result));
      }
      case "switch": {
        if (value instanceof Unknown) throw new Ambiguous("a case of chance");
        const at = step.cases.findIndex((_, number) => number === value);
        const name = at === -1 ? "default" : `c${at}`;
        return this.way(step, id, this.made(here, id, { value, case: name }).here, name);
      }
      case "parallel":
        return this.parallel(step, id, here);
      case "for-each":
        return this.forEach(step, id, here);
      case "while":
        return this.while(step, id, here);
      case "late-loop": {
        const mark = this.ledger.parts.length;
        const first = places.idOf(places.bodyOf(id), 0);
        for (let index = 0; index < step.items; index++) {
          const inside = this.inside(here, id, index);
          this.expectCall(first, inside, {}, "maybe");
          this.record(inside, first, { certainty: "maybe", statuses: undefined });
        }
        return this.failed(step, id, this.afterAll(here, mark), 1);
      }
      case "late-pause": {
        const mark = this.ledger.parts.length;
        if (step.of === "child") this.startChild(id, here, { flow: "held", waits: true });
        return this.failed(step, id, this.afterAll(here, mark), undefined);
      }
      case "race":
        return this.race(step, id, here, value);
      case "return":
        this.record(here, id);
        return { endings: [{ kind: "return", value: plain({ v: value }), isDead: true }] };
      case "fail":
        this.record(here, id, { statuses: ["FAILED"] });
        return { endings: [{ kind: "fail", nodeId: id, message: `failed at ${id}`, isDead: true }] };
      case "hold":
        this.expectCall(id, here, {}, "maybe");
        this.record(here, id, { statuses: ["CANCELED", "TIMED_OUT"], certainty: "maybe" });
        return { endings: [{ kind: "stopped", isDead: true }] };
    }
  }

  protected call(step: Fallible<"call">, id: string, here: Here, body: Value): Went {
    const { answer, failing } = step;
    const isAskedAgain = answer.kind === "fails" || answer.kind === "late";
    const count = answer.kind === "flaky" ? answer.failures + 1 : isAskedAgain ? failing.attempts : 1;
    const after = this.expectCall(id, here, body, answer.kind === "late" ? "maybe" : "always", count);
    if (isAskedAgain || answer.kind === "refuses") return this.failed(step, id, after, count);
    return this.succeeded(step, id, after, { status: 200, headers: anything, body }, count);
  }

  protected child(step: Fallible<"child">, id: string, here: Here, x: Value): Went {
    const { waits, failing, flow } = step;
    const child = this.startChild(id, here, { flow: `child${flow}`, x, waits });
    if (!waits) return this.succeeded(step, id, here, { runId: anything, status: anything });
    const [ending, another] = child.run.endings;
    if (another || !ending || ending.kind === "stopped")
      throw new Ambiguous("a child that may end in several ways");
    const after: Here = { ...here, past: child.run.past };
    if (ending.kind === "return")
      return this.succeeded(step, id, after, { runId: anything, status: "COMPLETED", output: ending.value });
    // One was counted when it was started.
    child.count += failing.attempts - 1;
    return this.failed(step, id, after, features.retriesChildren ? failing.attempts : undefined);
  }

  protected startChild(
    id: string,
    here: Here,
    { flow, x, waits }: { flow: string; x?: Value; waits: boolean },
  ): ChildPart {
    const key = here.keyOf(id);
    const known = this.ledger.child(key);
    if (known) {
      known.count += 1;
      return known;
    }
    const at = `${this.start.at}/${key}`;
    const start: Start = { flow, at, data: plain({ x, at }) as Start["data"], past: here.past };
    const program = places.programsOf(this.options.torture).get(flow)!;
    const run = new Run(this.options, start).whole(program, 1);
    const certainty = flow === "held" ? "maybe" : "always";
    const child: ChildPart = { kind: "child", key, count: 1, run, waits, certainty };
    this.ledger.parts.push(child);
    return child;
  }

  protected race({ by }: Step & { kind: "race" }, id: string, here: Here, value: Value): Went {
    const { gate, winner, hold } = places.raceOf(id);
    this.expectCall(hold, here, {}, "calm");
    this.record(here, hold, {
      statuses: ["ABORTED"],
      certainty: features.recordsInterruptions ? "calm" : "maybe",
    });
    const opened = this.expectCall(gate, here, {}, "always");
    this.record(here, gate, { attempts: 1 });
    this.record(here, winner, { statuses: [by === "return" ? "COMPLETED" : "FAILED"] });
    if (by === "return") return { endings: [{ kind: "return", value: plain({ v: value }), isDead: true }] };
    if (by === "fail")
      return { endings: [{ kind: "fail", nodeId: winner, message: `failed at ${winner}`, isDead: true }] };
    this.expectCall(winner, opened, {}, "always");
    return { endings: [{ kind: "error", nodeId: winner, isDead: true }] };
  }
}
