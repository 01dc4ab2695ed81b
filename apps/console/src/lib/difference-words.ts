import type { FlowDifference } from "@millrace/client";
import type { Say, TextKey } from "../texts/dictionary.ts";

/** What forms call it, where they do in few words; anything else is called as in the document. */
const NAMES: Readonly<Record<string, TextKey>> = {
  type: "diff.type",
  parentId: "editor.moveInto",
  label: "editor.label",
  credential: "editor.credential",
  disabled: "editor.disabled",
  "retry.maxAttempts": "editor.maxAttempts",
  "retry.backoffSeconds": "editor.backoff",
  timeoutSeconds: "editor.timeout",
  onError: "editor.onError",
  join: "editor.join",
};
const INPUT = "inputs.";

/** One difference between two versions, in the language of the console. */
export function differenceWords(t: Say, difference: FlowDifference): string {
  const { what, id, label, type, before, after } = difference;
  if (what === "edge") return t("diff.edge", { edge: id });
  const node = t("diff.node", { node: id }) + (label === undefined ? "" : ` (${label})`);
  if (type !== undefined) return `${node}, ${type}`;
  const field = what === "setting" ? id : (difference.field ?? "");
  const name = NAMES[field];
  const called = field.startsWith(INPUT)
    ? t("diff.input", { name: field.slice(INPUT.length) })
    : name === undefined
      ? field
      : t(name);
  const change = before === undefined ? "set" : after === undefined ? "unset" : "change";
  const said = t(`diff.${change}`, { what: called, before: before ?? "", after: after ?? "" });
  return `${what === "setting" ? t("editor.flow") : node}: ${said}`;
}
