import type { ManagedVariables, VariableVersion } from "@millrace/contract/manage/variables";
import type { Variables, VariableVersionRecord } from "../../operations/variables/manage-variables.ts";

export function presentVariables(variables: Variables): ManagedVariables {
  const { organizationId, version, values, author, note, createdAt } = variables;
  return {
    organizationId,
    version,
    values: { ...values },
    ...(author !== null && { author }),
    ...(note !== null && { note }),
    ...(createdAt && { createdAt: createdAt.toISOString() }),
  };
}

export function presentVariableVersion(listed: VariableVersionRecord): VariableVersion {
  const { version, active, author, note, createdAt, names } = listed;
  return {
    version,
    active,
    ...(author !== null && { author }),
    ...(note !== null && { note }),
    createdAt: createdAt.toISOString(),
    names: [...names],
  };
}
