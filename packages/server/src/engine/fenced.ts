/** The run has changed hands or ended: its old owner stops at once and writes nothing. */
export class Fenced extends Error {}
