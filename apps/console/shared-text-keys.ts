import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import type { Plugin } from "vite";
import { catalogueSentences } from "./src/texts/node-types/catalogue.ts";

const PART = /\/texts\/[a-z]{2}\/(\w+)\.ts$/;
const NODE_TYPES = /\/texts\/node-types\/[a-z]{2}\.ts$/;
const KEYS = "virtual:text-keys/";
const NAMED = "virtual:named-texts";

/**
 * Every language has the same keys, which weigh as much as the words behind them: here each part of a language becomes a
 * list of its words, and the keys of the part a list of their own that all languages share. What is said of node types has
 * the sentences of the catalogue for keys, and the editor has those anyway.
 */
export function sharedTextKeys(): Plugin {
  const english = (part: string) =>
    textsOf(readFileSync(new URL(`./src/texts/en/${part}.ts`, import.meta.url), "utf8"));
  return {
    name: "shared-text-keys",
    apply: "build",
    enforce: "pre",
    resolveId: (id) => (id.startsWith(KEYS) || id === NAMED ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${NAMED}`)
        return "export const named = (keys, words) => Object.fromEntries(keys.map((key, at) => [key, words[at]]));";
      if (!id.startsWith(`\0${KEYS}`)) return undefined;
      return `export const keys = ${JSON.stringify(Object.keys(english(id.slice(KEYS.length + 1))))};`;
    },
    transform(code, id) {
      if (NODE_TYPES.test(id)) {
        const texts = textsOf(code);
        return `import { catalogueSentences } from "./catalogue.ts";
import { named } from "${NAMED}";
export const ${nameOf(code)} = /* @__PURE__ */ named(catalogueSentences, ${JSON.stringify(catalogueSentences.map((key) => texts[key]))});`;
      }
      const part = PART.exec(id)?.[1];
      if (part === undefined) return undefined;
      const texts = textsOf(code);
      const words = Object.keys(english(part)).map((key) => texts[key]);
      return `import { keys } from "${KEYS}${part}";
import { named } from "${NAMED}";
export const ${nameOf(code)} = /* @__PURE__ */ named(keys, ${JSON.stringify(words)});`;
    },
  };
}

function nameOf(code: string): string {
  return /export const (\w+)/.exec(code)![1]!;
}

/** What a file of texts says: it is one object with nothing but texts. */
function textsOf(code: string): Readonly<Record<string, string>> {
  const from = code.indexOf("{", code.indexOf("= ", code.indexOf("export const")));
  const literal = code.slice(from, code.lastIndexOf("}") + 1);
  return runInNewContext(`(${literal})`) as Record<string, string>;
}
