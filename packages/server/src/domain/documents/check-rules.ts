import type { CredentialDocument } from "@millrace/contract/documents/credential";
import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import type { OrganizationDocument } from "@millrace/contract/documents/organization";
import { unknownName } from "@millrace/contract/documents/nearest-name";
import { credentialSecrets } from "../credential-secret.ts";
import { readSchema } from "../json-schema/read-schema.ts";
import { finishSliced } from "../sliced.ts";
import { DEFAULT_TIMEZONE, scheduleProblem } from "../cron.ts";
import type { Problem } from "./fault.ts";

/** The fields, of whatever kind, that have rules beyond their shape. */
export type RuledFields = Partial<
  Pick<OrganizationDocument, "members"> &
    Pick<CredentialDocument, "type" | "allowedHosts" | "secret"> &
    Pick<FlowDocument, "id" | "schedules" | "input" | "onFailure"> &
    Pick<FlowTestDocument, "expect">
>;

/** What a schema cannot say of a document. */
export function checkRules(fields: RuledFields): Problem[] {
  return [
    ...checkMembers(fields),
    ...checkAllowedHosts(fields),
    ...checkSecret(fields),
    ...checkSchedules(fields),
    ...checkInput(fields),
    ...checkOnFailure(fields),
    ...checkExpectation(fields),
  ];
}

function checkMembers({ members = [] }: RuledFields): Problem[] {
  return repeated(members).map((index) => ({
    path: ["members", index, "id"],
    message: `the member "${members[index]!.id}" is listed twice`,
  }));
}

function checkAllowedHosts({ type, allowedHosts = [] }: RuledFields): Problem[] {
  const travels = type?.startsWith("http-") || type === "model-provider";
  if (!travels || allowedHosts.length > 0) return [];
  return [
    { path: ["allowedHosts"], message: `is required for the type ${type}: name the hosts it may be sent to` },
  ];
}

/** Of the names alone: no text of a problem repeats a value. */
function checkSecret({ type, secret = {} }: RuledFields): Problem[] {
  if (type === undefined) return [];
  const known = Object.keys(credentialSecrets[type].shape);
  return Object.keys(secret)
    .filter((field) => !known.includes(field))
    .map((field) => ({
      path: ["secret", field],
      message: `${unknownName("field", field, known)} (type ${type})`,
    }));
}

function checkSchedules({ schedules = [] }: RuledFields): Problem[] {
  const twice = repeated(schedules).map((index) => ({
    path: ["schedules", index, "id"],
    message: `the schedule "${schedules[index]!.id}" is listed twice`,
  }));
  const wrong = schedules.flatMap(({ cron, timezone }, index) => {
    const problem = scheduleProblem(cron, timezone ?? DEFAULT_TIMEZONE);
    return problem ? [{ path: ["schedules", index, problem.field], message: problem.message }] : [];
  });
  return [...twice, ...wrong];
}

function checkInput({ input }: RuledFields): Problem[] {
  if (input === undefined) return [];
  const { problems } = finishSliced(readSchema(input));
  return problems.map(({ path, message }) => ({ path: ["input", ...path], message }));
}

function checkOnFailure({ id, onFailure }: RuledFields): Problem[] {
  if (onFailure === undefined || onFailure !== id) return [];
  return [{ path: ["onFailure"], message: "must name another flow, not this one" }];
}

function checkExpectation({ expect }: RuledFields): Problem[] {
  const failed = expect?.status === "FAILED";
  if (failed && expect.output !== undefined)
    return [{ path: ["expect", "output"], message: "a run that FAILED has no output; expect its error" }];
  if (!failed && expect?.error !== undefined)
    return [{ path: ["expect", "error"], message: "only a run with status: FAILED has an error" }];
  return [];
}

function repeated(entries: readonly { id: string }[]): number[] {
  const seen = new Set<string>();
  return entries.flatMap(({ id }, index) => {
    if (seen.has(id)) return [index];
    seen.add(id);
    return [];
  });
}
