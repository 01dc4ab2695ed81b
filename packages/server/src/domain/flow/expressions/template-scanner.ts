import { ExpressionError } from "./expression-error.ts";

export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "expression"; readonly source: string };

/** Cuts a text at its `{{ … }}`, one part at a time: it may have a hundred thousand. */
export function* scanTemplate(text: string): Generator<TemplatePart> {
  let position = 0;
  for (;;) {
    const open = text.indexOf("{{", position);
    if (open === -1) break;
    if (open > position) yield { kind: "text", text: text.slice(position, open) };
    const close = findClose(text, open + 2);
    yield { kind: "expression", source: text.slice(open + 2, close).trim() };
    position = close + 2;
  }
  if (position < text.length) yield { kind: "text", text: text.slice(position) };
}

/** The `}}` that belongs to the expression: not one in a string, a comment, a quoted name, a regex or an inner object. */
function findClose(text: string, start: number): number {
  let depth = 0;
  let beforeOperand = true;
  for (let position = start; position < text.length; position += 1) {
    const end = endOfLiteral(text, position, beforeOperand);
    if (end === -1) break;
    if (end > position) {
      position = end;
      beforeOperand = false;
      continue;
    }
    const char = text.charAt(position);
    if (char === "{") depth += 1;
    if (char === "}") {
      if (depth === 0 && text.charAt(position + 1) === "}") return position;
      depth -= 1;
    }
    if (!/\s/.test(char)) beforeOperand = "([{,;:=<>~&|?+-*%^!".includes(char);
  }
  // A stray quote hides the end. The first `}}` then gives the parser a source whose fault it can name.
  const plain = text.indexOf("}}", start);
  if (plain === -1) {
    throw new ExpressionError(
      '"{{" is never closed; add "}}", or write {{ "{{" }} for the two characters themselves',
    );
  }
  return plain;
}

/** Last position of the literal that starts here; the same position if none does, -1 if it does not end. */
function endOfLiteral(text: string, position: number, beforeOperand: boolean): number {
  const char = text.charAt(position);
  if (char === '"' || char === "'") return endOfEscaped(text, position, char);
  if (char === "`") return text.indexOf("`", position + 1);
  if (char !== "/") return position;
  if (text.charAt(position + 1) === "*") {
    const end = text.indexOf("*/", position + 2);
    return end === -1 ? -1 : end + 1;
  }
  return beforeOperand ? endOfEscaped(text, position, "/") : position;
}

function endOfEscaped(text: string, start: number, quote: string): number {
  for (let position = start + 1; position < text.length; position += 1) {
    if (text.charAt(position) === "\\") position += 1;
    else if (text.charAt(position) === quote) return position;
  }
  return -1;
}
