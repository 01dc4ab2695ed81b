import type { Answered, Question } from "../../operations/tools/answer-question.ts";

const FORM = /^approval (run_[A-Za-z0-9]{1,60}) (.{1,1000})$/s;

/**
 * Questions that older clients are asked beside a call. Their ids say what they are about, so that an answer can come to any
 * process; one that comes to the process of the call is told there at once.
 */
export class Questions {
  readonly #awaited = new Map<string, Set<(answered: Answered) => void>>();

  idOf({ runId, nodeKey }: Question): string {
    return `approval ${runId} ${nodeKey}`;
  }

  /** Undefined where it is not one of ours. */
  read(id: unknown): Question | undefined {
    const [, runId, nodeKey] = (typeof id === "string" && FORM.exec(id)) || [];
    return runId === undefined ? undefined : { runId, nodeKey: nodeKey! };
  }

  await(question: Question, listener: (answered: Answered) => void): () => void {
    const id = this.idOf(question);
    const listeners = this.#awaited.get(id) ?? new Set();
    this.#awaited.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#awaited.delete(id);
    };
  }

  tell(question: Question, answered: Answered): void {
    for (const listener of this.#awaited.get(this.idOf(question)) ?? []) listener(answered);
  }
}
