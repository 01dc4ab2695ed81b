import { escapeHtml } from "./html.ts";

type Kind = "comment" | "string" | "keyword" | "number" | "key";
type Rule = readonly [kind: Kind, pattern: string];

const TEXT: Rule = ["string", String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`];
const NUMBER: Rule = ["number", String.raw`\b\d[\d_.]*\b`];
const HASH: Rule = ["comment", String.raw`(?<=^|\s)#[^\n]*`];
const SLASHES: Rule = ["comment", String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`];
const keywords = (words: string): Rule => ["keyword", String.raw`\b(?:${words})\b`];

const TYPESCRIPT: readonly Rule[] = [
  SLASHES,
  ["string", String.raw`${TEXT[1]}|\`(?:\\.|[^\`\\])*\``],
  keywords(
    "async|await|break|catch|class|const|else|export|extends|for|from|function|if|import|interface|let|new|of|readonly|return|throw|try|type|undefined|while|yield",
  ),
  NUMBER,
];

/** What a piece of code is made of, told by classes: enough to read it, in a page that may load nothing. */
const LANGUAGES: Readonly<Record<string, readonly Rule[]>> = {
  json: [["key", String.raw`"(?:\\.|[^"\\\n])*"(?=\s*:)`], TEXT, keywords("true|false|null"), NUMBER],
  yaml: [
    HASH,
    ["key", String.raw`(?<=^\s*(?:- )*|[{,]\s*)[$\w.[\]-]+(?=:(?:\s|$))`],
    TEXT,
    keywords("true|false|null"),
    NUMBER,
  ],
  sh: [HASH, TEXT, keywords("cd|curl|export|npm|npx|millrace|node|pip|python3|kubectl|docker")],
  sql: [
    ["comment", "--[^\n]*"],
    TEXT,
    keywords("CREATE|TABLE|INSERT|INTO|VALUES|SELECT|FROM|WHERE|UPDATE|SET|DELETE|AND|OR|AS|ON|INDEX"),
    NUMBER,
  ],
  ts: TYPESCRIPT,
  tsx: TYPESCRIPT,
  js: TYPESCRIPT,
  python: [
    HASH,
    TEXT,
    keywords(
      "and|as|async|await|class|def|elif|else|except|False|for|from|if|import|in|is|None|not|or|return|True|try|while|with",
    ),
    NUMBER,
  ],
};
const OTHER_NAMES: Readonly<Record<string, string>> = {
  bash: "sh",
  shell: "sh",
  console: "sh",
  yml: "yaml",
  typescript: "ts",
  javascript: "js",
  py: "python",
};

export function highlight(code: string, language: string): string {
  const rules = LANGUAGES[OTHER_NAMES[language] ?? language];
  if (!rules) return escapeHtml(code);
  const pattern = new RegExp(rules.map(([, source]) => `(${source})`).join("|"), "gm");
  let html = "";
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [kind] = rules[match.slice(1).findIndex((group) => group !== undefined)]!;
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
