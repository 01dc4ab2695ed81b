import {
  constantText,
  hasMembers,
  isTrue,
  listLength,
  type Node,
  nodeIn,
  nodesIn,
  numberIn,
  textIn,
} from "./node-tree.ts";
import type { SchemaFacts } from "./schema-facts.ts";

/** A query and those around it, which its columns may refer to. */
interface Scope {
  readonly query: Node;
  readonly outer: Scope | undefined;
}

/** What an expression can be: whether NULL is out of the question, and for texts all values there are, if that is known. */
export interface Inferred {
  readonly neverNull: boolean;
  readonly values: ReadonlySet<string> | undefined;
}

const MAYBE_NULL: Inferred = { neverNull: false, values: undefined };
const NEVER_NULL: Inferred = { neverNull: true, values: undefined };
const NULL: Inferred = { neverNull: false, values: new Set() };

const TEXT_OID = 25;
const UNKNOWN_OID = 705;
const SELECT = 1;
const FROM = { relation: 0, subquery: 1, join: 2, function: 3, values: 5, cte: 6, group: 9 };
const SUBLINK = { exists: 0, expression: 4, array: 6 };

/** Functions whose answer is never NULL, whatever they are given. */
const ALWAYS_ANSWER: ReadonlySet<string | undefined> = new Set(
  `count now clock_timestamp millrace_now json_build_object jsonb_build_object json_build_array row_number
   pg_database_size current_database pg_backend_pid pg_try_advisory_lock pg_is_in_recovery current_setting`.split(
    /\s+/,
  ),
);
/** Those that answer NULL for NULL alone; casts are of this kind too. */
const STRICT: ReadonlySet<string | undefined> = new Set(
  `extract date_trunc split_part iso json_strip_nulls to_json`.split(/\s+/),
);
const STRICT_OPERATORS: ReadonlySet<string | undefined> = new Set(
  "= <> < <= > >= + - * / || ~ << | @>".split(" "),
);

/** What the columns of a query's answer can be, as far as its text and the schema tell. */
export function inferColumns(query: Node, schema: SchemaFacts): Inferred[] {
  return outputs(query).map((_, at) => columnOf({ query, outer: undefined }, at + 1));

  function columnOf(scope: Scope, column: number): Inferred {
    const { query } = scope;
    if (nodeIn(query, "setOperations")) {
      const branches = nodesIn(query, "rtable").filter(
        (entry) => numberIn(entry, "rtekind") === FROM.subquery,
      );
      return either(
        branches.map((entry) => columnOf({ query: nodeIn(entry, "subquery")!, outer: scope }, column)),
      );
    }
    const target = outputs(query)[column - 1];
    return target ? infer(nodeIn(target, "expr")!, scope) : MAYBE_NULL;
  }

  function infer(node: Node, scope: Scope): Inferred {
    const all = (field: string) => nodesIn(node, field).map((each) => infer(each, scope));
    const one = (field: string) => {
      const inner = nodeIn(node, field);
      return inner ? infer(inner, scope) : NULL;
    };
    switch (node.kind) {
      case "VAR":
        return variable(node, scope);
      case "CONST":
        if (isTrue(node, "constisnull")) return NULL;
        return [TEXT_OID, UNKNOWN_OID].includes(numberIn(node, "consttype"))
          ? { neverNull: true, values: new Set([constantText(node)]) }
          : NEVER_NULL;
      case "COALESCEEXPR":
      case "MINMAXEXPR": {
        const given = all("args");
        return { ...either(given), neverNull: given.some(({ neverNull }) => neverNull) };
      }
      case "CASEEXPR":
        return either([
          ...nodesIn(node, "args").map((when) => infer(nodeIn(when, "result")!, scope)),
          one("defresult"),
        ]);
      case "RELABELTYPE":
      case "COERCEVIAIO":
      case "ARRAYCOERCEEXPR":
        return one("arg");
      case "BOOLEXPR":
        return strict(all("args"));
      case "SUBLINK":
        return subLink(node, scope);
      case "AGGREF":
        return ALWAYS_ANSWER.has(schema.functionName(numberIn(node, "aggfnoid"))) ? NEVER_NULL : MAYBE_NULL;
      case "WINDOWFUNC":
        return ALWAYS_ANSWER.has(schema.functionName(numberIn(node, "winfnoid"))) ? NEVER_NULL : MAYBE_NULL;
      case "FUNCEXPR":
        return called(
          schema.functionName(numberIn(node, "funcid")),
          numberIn(node, "funcformat") > 0,
          all("args"),
        );
      case "OPEXPR":
      case "SCALARARRAYOPEXPR":
        return STRICT_OPERATORS.has(schema.operatorName(numberIn(node, "opno")))
          ? strict(all("args"))
          : MAYBE_NULL;
      case "NULLTEST":
      case "BOOLEANTEST":
      case "DISTINCTEXPR":
      case "ARRAYEXPR":
      case "ROWEXPR":
      case "SQLVALUEFUNCTION":
        return NEVER_NULL;
      default:
        return MAYBE_NULL;
    }
  }

  function called(name: string | undefined, isCast: boolean, given: readonly Inferred[]): Inferred {
    if (ALWAYS_ANSWER.has(name)) return NEVER_NULL;
    return isCast || STRICT.has(name) ? strict(given) : MAYBE_NULL;
  }

  function subLink(node: Node, scope: Scope): Inferred {
    const type = numberIn(node, "subLinkType");
    if (type === SUBLINK.exists || type === SUBLINK.array) return NEVER_NULL;
    const query = nodeIn(node, "subselect")!;
    if (type !== SUBLINK.expression) return MAYBE_NULL;
    // Without rows to choose from, or with all of them added up, there is exactly one.
    const from = nodeIn(query, "jointree");
    const always =
      isTrue(query, "hasAggs") || (from && nodesIn(from, "fromlist").length === 0 && !nodeIn(from, "quals"));
    const isOneRow = always && nodesIn(query, "groupClause").length === 0 && !nodeIn(query, "havingQual");
    const column = columnOf({ query, outer: scope }, 1);
    return isOneRow ? column : { ...column, neverNull: false };
  }

  function variable(node: Node, scope: Scope): Inferred {
    const column = columnOfEntry(node, scope);
    // The side of an outer join that may be missing.
    return hasMembers(node, "varnullingrels") ? { ...column, neverNull: false } : column;
  }

  function columnOfEntry(node: Node, from: Scope): Inferred {
    const scope = up(from, numberIn(node, "varlevelsup"));
    const entry = nodesIn(scope.query, "rtable")[numberIn(node, "varno") - 1]!;
    const column = numberIn(node, "varattno");
    switch (numberIn(entry, "rtekind")) {
      case FROM.relation: {
        // Those of the system, and whole rows.
        if (column <= 0) return NEVER_NULL;
        const tableId = numberIn(entry, "relid");
        const view = schema.viewQuery(tableId);
        if (view) return columnOf({ query: view, outer: undefined }, column);
        return { neverNull: schema.isNotNull(tableId, column), values: schema.valuesOf(tableId, column) };
      }
      case FROM.subquery:
        return columnOf({ query: nodeIn(entry, "subquery")!, outer: scope }, column);
      case FROM.join:
        return infer(nodesIn(entry, "joinaliasvars")[column - 1]!, scope);
      case FROM.group:
        return infer(nodesIn(entry, "groupexprs")[column - 1]!, scope);
      case FROM.function: {
        const isOrdinal = isTrue(entry, "funcordinality") && column === columnCount(entry);
        return isOrdinal ? NEVER_NULL : MAYBE_NULL;
      }
      case FROM.cte:
        return columnOfCte(entry, scope, column);
      default:
        return MAYBE_NULL;
    }
  }

  function columnOfCte(entry: Node, from: Scope, column: number): Inferred {
    if (isTrue(entry, "self_reference")) return NEVER_NULL;
    const scope = up(from, numberIn(entry, "ctelevelsup"));
    const name = textIn(entry, "ctename");
    const cte = nodesIn(scope.query, "cteList").find((each) => textIn(each, "ctename") === name)!;
    return columnOf({ query: nodeIn(cte, "ctequery")!, outer: scope }, column);
  }
}

function columnCount(entry: Node): number {
  return listLength(nodeIn(entry, "eref")!, "colnames");
}

function up(scope: Scope, levels: number): Scope {
  return levels === 0 ? scope : up(scope.outer!, levels - 1);
}

/** What a query answers with: what it selects, or RETURNING. */
function outputs(query: Node): Node[] {
  const list = numberIn(query, "commandType") === SELECT ? "targetList" : "returningList";
  return nodesIn(query, list).filter((target) => !isTrue(target, "resjunk"));
}

function either(inferred: readonly Inferred[]): Inferred {
  const values = inferred.map((each) => each.values);
  return {
    neverNull: inferred.every(({ neverNull }) => neverNull),
    values: values.every((each) => each !== undefined)
      ? new Set(values.flatMap((each) => [...each!]))
      : undefined,
  };
}

function strict(given: readonly Inferred[]): Inferred {
  return given.every(({ neverNull }) => neverNull) ? NEVER_NULL : MAYBE_NULL;
}
