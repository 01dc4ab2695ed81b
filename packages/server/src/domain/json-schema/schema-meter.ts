/** A check that needs more is given up: about a second of work. */
const MAX_STEPS = 2_000_000;
const STEPS_A_TURN = 2_000;

/** The check was given up: schema and value together ask for more than anybody waits for. */
export class SchemaTooCostly extends Error {}

/** Counts what a check does. A few lines of schema can ask for more steps than there is time for. */
export class SchemaMeter {
  #steps = 0;
  #turnEnd = STEPS_A_TURN;

  /**
   * Whether others may have their turn now.
   * @throws SchemaTooCostly
   */
  spend(steps: number): boolean {
    this.#steps += steps;
    if (this.#steps < this.#turnEnd) return false;
    if (this.#steps > MAX_STEPS) throw new SchemaTooCostly();
    this.#turnEnd = this.#steps + STEPS_A_TURN;
    return true;
  }
}
