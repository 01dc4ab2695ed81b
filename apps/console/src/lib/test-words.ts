import type { TestText } from "@millrace/client";
import type { Say } from "../texts/dictionary.ts";

/** As the service writes a value that is not there; any other is JSON. */
const NOTHING = "nothing";

export function valueWords(t: Say, value: string): string {
  return value === NOTHING ? t("diff.nothing") : value;
}

/** What a failed test says, in the language of the console; what stands in the test is called as it is there. */
export function testWords(t: Say, { code, values }: TestText): string {
  const { node = "", number, path = "", text = "", input = "", message, name } = values;
  const differs = (where: string) =>
    t("fail.value", {
      path: where,
      expected: valueWords(t, values["expected"] ?? ""),
      actual: valueWords(t, values["actual"] ?? ""),
    });
  const place = path || t("run.output");
  switch (code) {
    case "status":
    case "path":
      return differs(code);
    case "status-error":
      return `${differs("status")}: ${message} (${node}, ${name})`;
    case "value":
      return differs(place);
    case "call-count":
      return differs(`calls.${node}`);
    case "call-value":
      return differs(`#${number} ${place}`);
    case "call":
      return `${node}: ${input}`;
    case "answer-missing":
      return `answers.${node}`;
    case "fault":
      return text;
    default:
      return t(`fail.${code}`, values);
  }
}
