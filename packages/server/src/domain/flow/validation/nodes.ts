import { retryOnFault } from "../retry-rule.ts";
import { nameOf, type FlowToCheck } from "./flow-to-check.ts";

const maxAttempts = 10;
const maxBackoffSeconds = 300;
const maxTimeoutSeconds = 86_400;

/** One start, ids that differ, types that exist. */
export function checkNodes({ graph, kindOf }: FlowToCheck): string[] {
  if (graph.nodes.length === 0) return ['The flow has no nodes; add a "start" node and what follows it.'];
  const errors: string[] = [];
  const starts = graph.nodes.filter(({ type }) => type === "start");
  if (starts.length === 0) errors.push('The flow has no "start" node; add one.');
  if (starts.length > 1) {
    const ids = starts.map(({ id }) => `"${id}"`).join(", ");
    errors.push(`The flow has ${starts.length} "start" nodes (${ids}); keep one.`);
  }
  const seen = new Set<string>();
  for (const node of graph.nodes) {
    if (seen.has(node.id))
      errors.push(`${nameOf(node)}: the id is used more than once; give each node its own.`);
    seen.add(node.id);
    if (kindOf(node) === undefined) {
      errors.push(
        `${nameOf(node)}: the type "${node.type}" does not exist; choose one of the node catalogue.`,
      );
    }
  }
  return errors;
}

/** Retry, timeout, error and join settings. */
export function checkSettings({ graph, kindOf }: FlowToCheck): string[] {
  const errors: string[] = [];
  for (const node of graph.nodes) {
    const { retry, timeoutSeconds, onError, join } = node.data ?? {};
    const report = (text: string) => errors.push(`${nameOf(node)}: ${text}.`);
    const attempts = retry?.maxAttempts;
    if (attempts != null && !(Number.isInteger(attempts) && attempts >= 1 && attempts <= maxAttempts)) {
      report(`retry.maxAttempts must be a whole number from 1 to ${maxAttempts}`);
    }
    if (attempts != null && attempts > 1 && kindOf(node)?.container) {
      report("a container cannot be retried as a whole; set retry on the nodes inside it");
    }
    const backoff = retry?.backoffSeconds;
    if (backoff != null && !(backoff >= 0 && backoff <= maxBackoffSeconds)) {
      report(`retry.backoffSeconds must be from 0 to ${maxBackoffSeconds}`);
    }
    for (const entry of retry?.on ?? []) {
      const fault = retryOnFault(entry);
      if (fault) report(fault);
    }
    if (timeoutSeconds != null && !(timeoutSeconds > 0 && timeoutSeconds <= maxTimeoutSeconds)) {
      report(`timeoutSeconds must be more than 0 and at most ${maxTimeoutSeconds}`);
    }
    if (onError != null && !["fail", "continue", "branch"].includes(onError)) {
      report(`onError is "${onError}"; use fail, continue or branch`);
    }
    if (join != null && !["all", "any"].includes(join)) report(`join is "${join}"; use all or any`);
  }
  return errors;
}
