import { RE2JS } from "re2js";

/**
 * What JSONata needs of a RegExp, on the linear-time RE2: a pattern like `/^(a+)+$/` cannot hang the child.
 * Look-around and back-references do not exist in RE2 and are refused when the expression is evaluated.
 */
class Re2Regex {
  lastIndex = 0;
  readonly #pattern: RE2JS;

  constructor(pattern: RegExp) {
    let flags = 0;
    if (pattern.ignoreCase) flags |= RE2JS.CASE_INSENSITIVE;
    if (pattern.multiline) flags |= RE2JS.MULTILINE;
    try {
      this.#pattern = RE2JS.compile(RE2JS.translateRegExp(pattern.source), flags);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "it cannot be read";
      throw new Error(`the regular expression /${pattern.source}/ is not supported: ${reason}`, {
        cause: error,
      });
    }
  }

  exec(text: string): RegExpExecArray | null {
    const matcher = this.#pattern.matcher(text);
    if (this.lastIndex > text.length || !matcher.find(this.lastIndex)) {
      this.lastIndex = 0;
      return null;
    }
    const groups: (string | undefined)[] = [];
    for (let index = 0; index <= matcher.groupCount(); index += 1) {
      groups.push(matcher.group(index) ?? undefined);
    }
    this.lastIndex = matcher.end();
    return Object.assign(groups, { index: matcher.start(), input: text }) as unknown as RegExpExecArray;
  }
}

/** In the type that JSONata's option asks for. */
export const re2RegexEngine = Re2Regex as unknown as RegExpConstructor;
