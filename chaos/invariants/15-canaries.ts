import { dataCanary, ORGANIZATIONS, secretCanary } from "../workspace.ts";
import type { Invariant } from "./invariant.ts";

/** Nothing an organization is told holds another one's data; secrets are nowhere but in the one request they are for. */
export const canaries: Invariant = {
  number: 15,
  name: "Tenancy and secrets",
  check({ world, runs, leakyTables, logs }) {
    const violations = leakyTables.map((table) => `a secret stands in plain text in the table ${table}`);
    const search = (where: string, text: string, organizationId?: string) => {
      for (const { id } of ORGANIZATIONS) {
        if (text.includes(secretCanary(id))) violations.push(`${where} holds the secret of ${id}`);
        if (id !== organizationId && text.includes(dataCanary(id)))
          violations.push(`${where} holds data of ${id}`);
      }
    };
    const { operations } = world.history;
    for (const { id, organizationId, answer } of operations)
      search(id, JSON.stringify(answer ?? ""), organizationId);
    for (const { webhookId, organizationId, body } of world.receiver.deliveries)
      search(webhookId, body, organizationId);
    search("the log", logs);
    for (const { runId, name, authorization } of world.effects.calls) {
      const expected =
        name === "secret" ? `Bearer ${secretCanary(runs.get(runId)?.organizationId ?? "nobody")}` : undefined;
      if (authorization !== expected)
        violations.push(`${runId} ${name} was sent with ${authorization ?? "nothing"}`);
    }
    const foreign = world.history.of("foreign");
    for (const { id, outcome, status, about } of foreign) {
      if (outcome !== "unknown" && status !== 404 && status !== undefined)
        violations.push(`${id}: a stranger was answered ${status} for ${String(about["runId"])}`);
    }
    return {
      checked: `${operations.length} answers, ${world.receiver.deliveries.length} deliveries, ${world.effects.calls.length} effects, ${foreign.length} strangers, logs and tables`,
      violations,
    };
  },
};
