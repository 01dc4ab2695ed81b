import type { StreamParser } from "@codemirror/language";

/** The names of colours, and what is drawn in them; the first that fits is taken. */
type Rules = readonly (readonly [RegExp, string])[];

/** A language as far as colours go: a tenth of the weight of a grammar. */
function coloured(rules: Rules): StreamParser<null> {
  return {
    token(stream) {
      for (const [pattern, name] of rules) if (stream.match(pattern)) return name;
      stream.next();
      return null;
    },
  };
}

const NUMBER = [/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, "number"] as const;

export const jsonata = coloured([
  [/\/\*.*?\*\//, "comment"],
  [/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?/, "string"],
  NUMBER,
  [/\$[A-Za-z_]\w*/, "variableName.function"],
  [/(?:and|or|in|function|true|false|null)\b/, "keyword"],
  [/[A-Za-z_]\w*|`[^`]*`/, "propertyName"],
]);

const SQL_WORDS =
  "all|and|any|as|asc|between|by|case|cast|conflict|create|cross|delete|desc|distinct|do|drop|else|end|except|exists|false|fetch|first|following|for|from|full|group|having|ilike|in|inner|insert|intersect|interval|into|is|join|lateral|left|like|limit|natural|not|nothing|null|nulls|offset|on|only|or|order|outer|over|partition|preceding|range|recursive|returning|right|row|rows|select|set|some|table|then|true|unbounded|union|unique|update|using|values|view|when|where|window|with";

export const sql = coloured([
  [/--.*|\/\*.*?\*\//, "comment"],
  [/'(?:''|[^'])*'?/, "string"],
  [/\$\d+/, "variableName.function"],
  NUMBER,
  [new RegExp(`(?:${SQL_WORDS})\\b`, "i"), "keyword"],
  [/"(?:""|[^"])*"?|[A-Za-z_]\w*/, "propertyName"],
]);

const JAVASCRIPT_WORDS =
  "async|await|break|case|catch|class|const|continue|default|delete|do|else|extends|false|finally|for|function|if|in|instanceof|let|new|null|of|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|yield";

export const javascript = coloured([
  [/\/\/.*|\/\*.*?\*\//, "comment"],
  [/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?/, "string"],
  NUMBER,
  [new RegExp(`(?:${JAVASCRIPT_WORDS})\\b`), "keyword"],
  [/[A-Za-z_$][\w$]*(?=\s*\()/, "variableName.function"],
  [/[A-Za-z_$][\w$]*/, "propertyName"],
]);
