import type { DraftTested, TestText } from "@millrace/contract/manage/replays";

type Code = TestText["code"];
type Values = TestText["values"];

/** One expectation that was not met: in words, and what the words are made of. */
export type TestFailure = DraftTested["tests"][number]["failures"][number];

export function failure(what: TestFailure["what"], words: TestText, places?: TestText[]): TestFailure {
  const message = inEnglish(words);
  return { what, message, words, ...(places && { places, differences: places.map(inEnglish) }) };
}

export function say(code: Code, values: Readonly<Record<string, string | number>> = {}): TestText {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return { code, values: Object.fromEntries(texts) as Values };
}

/** As the API and the CLI say it. */
export function inEnglish({ code, values }: TestText): string {
  return english[code](values);
}

const english: Readonly<Record<Code, (values: Values) => string>> = {
  status: ({ expected, actual }) => `expected ${expected}, got ${actual}`,
  "status-error": ({ expected, actual, message, node, name }) =>
    `expected ${expected}, got ${actual}: ${message} (node "${node}", ${name})`,
  output: () => "the output differs",
  error: () => "the error differs",
  path: ({ expected, actual }) => `expected ${expected}, got ${actual}`,
  "path-missing": ({ node }) => `"${node}" was expected and did not begin`,
  "path-extra": ({ node }) => `"${node}" began and was not expected`,
  "path-twice": ({ node }) => `"${node}" is listed twice`,
  "path-order": ({ node, other }) => `"${node}" is listed before "${other}", which leads to it`,
  "call-count": ({ node, expected, actual }) =>
    `"${node}" was expected to be called ${times(expected)}, and was called ${times(actual)}`,
  "call-inputs": ({ node }) => `"${node}" was called with other inputs`,
  call: ({ node, input }) => `${node}: ${input}`,
  "call-value": ({ number, ...value }) => `call ${number}, ${english.value(value)}`,
  value: ({ path, expected, actual }) =>
    `${path === "" ? "" : `${path}: `}expected ${expected}, got ${actual}`,
  more: ({ count }) => `… and ${count} more`,
  "no-answer": ({ node, type, example }) =>
    `the node "${node}" (${type}) was called and has no answer; nothing was sent. Add it to the test: answers: ${example}`,
  "answer-missing": ({ node, everyRound }) =>
    `answers.${node === everyRound ? node : `${node}, or ${everyRound} for every round`} is missing`,
  "was-given": ({ input }) => `it was given ${input}`,
  "no-fit": () => "the test does not fit the flow",
  flow: ({ flow }) => `the flow ${flow} cannot run like this`,
  fault: ({ text }) => text!,
};

function times(count: string | undefined): string {
  return count === "1" ? "once" : count === "0" ? "never" : `${count} times`;
}
