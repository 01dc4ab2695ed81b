/**
 * Pieces of text as they may be stored and sent one by one: a character whose halves arrive in two pieces waits for its
 * second half; what is no character at all, and NUL, which the database cannot keep, is replaced or left out.
 */
export class WholeCharacters {
  #half = "";

  push(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#half = text.slice(cut);
    return storableText(text.slice(0, cut));
  }

  /** Whatever still waits. */
  end(): string {
    const rest = storableText(this.#half);
    this.#half = "";
    return rest;
  }
}

/** Without what is no character, and without NUL. */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "") : wellFormed;
}
