import { agent } from "./agent.ts";
import { approval } from "./approval.ts";
import { code } from "./code.ts";
import { email } from "./email.ts";
import { fail } from "./fail.ts";
import { filter } from "./filter.ts";
import { forEach } from "./for-each.ts";
import { httpRequest } from "./http-request.ts";
import { ifNode } from "./if.ts";
import { list } from "./list.ts";
import { llm } from "./llm.ts";
import { mcpTool } from "./mcp-tool.ts";
import { merge } from "./merge.ts";
import type { NodeType } from "./node-type.ts";
import { returnNode } from "./return.ts";
import { runFlow } from "./run-flow.ts";
import { set } from "./set.ts";
import { sql } from "./sql.ts";
import { start } from "./start.ts";
import { store } from "./store.ts";
import { switchNode } from "./switch.ts";
import { template } from "./template.ts";
import { transform } from "./transform.ts";
import { guardEffects } from "./support/guard-effects.ts";
import { wait } from "./wait.ts";
import { whileNode } from "./while.ts";

/** Every node type, in the order of the node reference. */
export const nodeTypes: ReadonlyMap<string, NodeType> = new Map(
  [
    start,
    set,
    template,
    transform,
    code,
    httpRequest,
    ifNode,
    switchNode,
    filter,
    list,
    merge,
    forEach,
    whileNode,
    wait,
    approval,
    runFlow,
    returnNode,
    fail,
    llm,
    agent,
    mcpTool,
    sql,
    email,
    store,
  ].map((node) => [node.type, guardEffects(node)]),
);
