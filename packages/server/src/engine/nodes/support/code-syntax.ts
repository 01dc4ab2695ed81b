import { compileFunction } from "node:vm";

const MAX_LENGTH = 100_000;

/** What keeps the code from being read, with its line. It is only read here, never run: that is the sandbox's alone. */
export function codeSyntaxFault(source: string): string | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  try {
    // As a declaration: of a function in parentheses V8 would make a program, which takes ten times as long.
    compileFunction(`async function code(input) {${source}\n}`, [], { filename: "code.js" });
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) return "it nests too deeply";
    const line = /code\.js:(\d+)/.exec(error.stack ?? "")?.[1] ?? "1";
    return `line ${line}: ${error.message}`;
  }
}
