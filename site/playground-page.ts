import { escapeHtml } from "./html.ts";

/** The form of the playground, filled with the scope and the examples of docs/expressions.md. */
export function renderPlayground(expressions: string): string {
  const scope = /```json scope\n([\s\S]*?)```/.exec(expressions)![1]!;
  const inputs = [...expressions.matchAll(/^\| (`+)(.*?\{\{.*?)\1 +\| (?:`.*`|nothing) +\|$/gm)].map(
    ([, , input]) => input!,
  );
  const options = inputs.map((input) => `<option>${escapeHtml(input)}</option>`).join("");
  return `<form class="playground"><label for="examples">An example</label><select id="examples">${options}</select>
<label for="template">Input of a node</label><textarea id="template" spellcheck="false" rows="3">${escapeHtml(inputs[0]!)}</textarea>
<p id="result-name">Value</p><output id="result" for="template scope" aria-labelledby="result-name"></output>
<label for="scope">Scope, as JSON</label><textarea id="scope" spellcheck="false" rows="20">${escapeHtml(scope)}</textarea></form>`;
}
