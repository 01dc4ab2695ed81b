const literal = {
  comment: /\/\*[\s\S]*?(?:\*\/|$)/y,
  text: /(["'])(?:\\[\s\S]|(?!\1)[^\\])*(?:\1|$)/y,
  name: /`[^`]*(?:`|$)|[^\s.[\]{}(),@#;:?+\-*/%|=<>^&!~"'`]+/y,
};

/** What stands in a bracket, and how much of that may be the left side of the operator that comes next. */
interface Group {
  total: number;
  left: number;
}

export interface ParseWeight {
  /** How large the syntax tree can become, in characters of source. */
  readonly weight: number;
  /** How deep it is at least: thousands of levels take the parser as long as the longest flow. */
  readonly depth: number;
}

/**
 * What a source costs to parse. JSONata's parser copies the left side of `??` and `?:`, so that it counts twice, and each
 * bracket around such a pair doubles all that is inside again.
 */
export function parseWeight(source: string): ParseWeight {
  const open: Group[] = [{ total: 0, left: 0 }];
  let depth = 0;
  let signs = 0;
  let wantsOperand = true;
  let position = 0;
  while (position < source.length) {
    const group = open.at(-1) as Group;
    const char = source.charAt(position);
    const end = endOfLiteral(source, position, wantsOperand);
    if (end > position) {
      const word = source.slice(position, end);
      add(group, end - position);
      if (!word.startsWith("/*")) wantsOperand = !wantsOperand && /^(?:and|or|in)$/.test(word);
      position = end;
      signs = 0;
      continue;
    }
    position += 1;
    if (/\s/.test(char)) continue;
    signs = char === "-" && wantsOperand ? signs + 1 : 0;
    if ("([{".includes(char)) open.push({ total: 1, left: 0 });
    else if (")]}".includes(char) && open.length > 1) {
      open.pop();
      add(open.at(-1) as Group, group.total + 1);
    } else if (char === "?" && /[?:]/.test(source.charAt(position))) {
      position += 1;
      add(group, group.left + 2);
      group.left = 0;
    } else {
      add(group, 1);
      if (char === "," || char === ";") group.left = 0;
    }
    depth = Math.max(depth, open.length - 1 + signs);
    // `*`, `%` and `?` stand for a value where one is wanted.
    wantsOperand = !(")]}".includes(char) || (wantsOperand && "*%?".includes(char)));
  }
  return { weight: open.reduce((sum, { total }) => sum + total, 0), depth };
}

function add(group: Group, weight: number): void {
  group.total += weight;
  group.left += weight;
}

/** Where the comment, text, name or regular expression ends that starts here; the same position if none does. */
function endOfLiteral(source: string, position: number, wantsOperand: boolean): number {
  for (const pattern of Object.values(literal)) {
    pattern.lastIndex = position;
    if (pattern.test(source)) return pattern.lastIndex;
  }
  return source.charAt(position) === "/" && wantsOperand ? endOfRegex(source, position + 1) : position;
}

/** As JSONata finds it: the first slash that is neither escaped nor in brackets. */
function endOfRegex(source: string, start: number): number {
  let depth = 0;
  let isEscaped = false;
  for (let position = start; position < source.length; position += 1) {
    const char = source.charAt(position);
    if (char === "/" && depth === 0 && !isEscaped) return position + 1;
    if (!isEscaped && "([{".includes(char)) depth += 1;
    if (!isEscaped && ")]}".includes(char)) depth -= 1;
    isEscaped = char === "\\" && !isEscaped;
  }
  return source.length;
}
