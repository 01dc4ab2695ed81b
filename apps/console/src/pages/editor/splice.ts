import { type Document, isMap, isScalar, isSeq, type Node, Scalar, stringify } from "yaml";
import { heldKeys, isObject } from "./document.ts";
import type { Flow } from "./flow.ts";

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The text with some plain values replaced and every other letter as it was. Undefined where more has changed than values:
 * keys, items, or a text of several lines.
 */
export function spliceScalars(text: string, document: Document, flow: Flow): string | undefined {
  if (!isMap(document.contents)) return undefined;
  const splices: Splice[] = [];
  const said = document.contents.items.filter(
    ({ key }) => isScalar(key) && heldKeys.includes(String(key.value)),
  );
  if (said.length !== Object.keys(flow).length) return undefined;
  for (const { key, value } of said) {
    const name = String((key as Scalar).value) as keyof Flow;
    if (!Object.hasOwn(flow, name) || !collect(value, flow[name], false, splices)) return undefined;
  }
  return splices
    .toSorted((one, other) => other.from - one.from)
    .reduce((soFar, { from, to, text }) => soFar.slice(0, from) + text + soFar.slice(to), text);
}

/** Whether nothing but values differs; these are noted. */
function collect(node: unknown, value: unknown, isInFlow: boolean, splices: Splice[]): boolean {
  if (isScalar(node)) {
    if (Object.is(node.value, value)) return true;
    const said = scalarText(node, value, isInFlow);
    if (said === undefined || !node.range || node.range[0] === node.range[1] || node.anchor) return false;
    splices.push({ from: node.range[0], to: node.range[1], text: said });
    return true;
  }
  if (isMap(node) && isObject(value)) {
    const inner = isInFlow || node.flow === true;
    const keys = Object.keys(value);
    return (
      keys.length === node.items.length &&
      node.items.every(
        ({ key, value: field }, index) =>
          isScalar(key) &&
          String(key.value) === keys[index] &&
          collect(field, value[keys[index]!], inner, splices),
      )
    );
  }
  if (isSeq(node) && Array.isArray(value)) {
    const inner = isInFlow || node.flow === true;
    return (
      value.length === node.items.length &&
      node.items.every((item, index) => collect(item, value[index], inner, splices))
    );
  }
  return node === null && value === null;
}

/** A value as it stands in one line, quoted as the one before it was. */
function scalarText(before: Scalar & Node, value: unknown, isInFlow: boolean): string | undefined {
  if (typeof value === "object" && value !== null) return undefined;
  if (before.type === Scalar.BLOCK_LITERAL || before.type === Scalar.BLOCK_FOLDED) return undefined;
  if (typeof value !== "string") return JSON.stringify(value);
  if (value.includes("\n")) return isInFlow ? JSON.stringify(value) : undefined;
  if (before.type === Scalar.QUOTE_DOUBLE) return JSON.stringify(value);
  if (before.type === Scalar.QUOTE_SINGLE && /^[\u0020-\u007E]*$/.test(value))
    return `'${value.replaceAll("'", "''")}'`;
  const plain = stringify(value, { lineWidth: 0 }).trimEnd();
  const isSafe = plain.startsWith('"') || (isInFlow ? /^[\w.-]+$/.test(plain) : !plain.includes("\n"));
  return isSafe ? plain : JSON.stringify(value);
}
