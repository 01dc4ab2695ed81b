import { follow } from "../follow.ts";
import { listOf, type PagePromise, pageQuery, type PageRequest, pathOf } from "../paging.ts";
import type { Call, CallOptions, Transport } from "../transport.ts";
import type {
  NodeRecord,
  NodeValues,
  RunChange,
  RunCounts,
  RunNode,
  RunTrigger,
  SavedTest,
  Share,
  ShareRequest,
  Revoked,
} from "../wire.ts";
import { type CreatedAtRequest, createdAtQuery, type ManageRequest } from "./requests.ts";

const ROOT = "/manage/runs";

export interface RunCountsRequest extends ManageRequest, CreatedAtRequest {
  readonly flowId?: string | undefined;
}

export interface NodeRecordsRequest extends PageRequest {
  /** The node key of a `for-each` or `while`: its rounds, in order. Without it the nodes outside of containers. */
  readonly container?: string | undefined;
  readonly round?: number | undefined;
  readonly status?: readonly RunNode["status"][] | undefined;
}

/** A run as it is now, or `reset`: so much was missed that lists have to be read again. */
export type OrganizationEvent = ({ readonly type: "run" } & RunChange) | { readonly type: "reset" };

/** Figures and values of runs, links to them, and one stream of all that change. */
export class ManagedRuns {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** How many runs there are of each status, by the minute of their creation. */
  counts(
    { organizationId, flowId, ...time }: RunCountsRequest = {},
    options: CallOptions = {},
  ): Promise<RunCounts> {
    const query = { organizationId, "filter[flowId]": flowId, ...createdAtQuery(time) };
    return this.#transport.data("GET", `${ROOT}/counts`, { ...options, query });
  }

  /**
   * Every run of an organization that changes, until the iteration is left.
   *
   * @example for await (const event of millrace.manage.runs.stream()) if (event.type === "run") console.log(event.runId)
   */
  stream(request: ManageRequest = {}, options: CallOptions = {}): AsyncGenerator<OrganizationEvent> {
    const transport = this.#transport;
    return follow<OrganizationEvent>({
      open: (lastEventId) => {
        const headers: Record<string, string> =
          lastEventId === undefined ? {} : { "last-event-id": lastEventId };
        const call = { ...options, query: { organizationId: request.organizationId }, headers };
        return transport.stream("GET", `${ROOT}/stream`, call);
      },
      take: ({ event, data }) => {
        if (data === undefined) return undefined;
        if (event === "reset") return { event: { type: "reset" }, isLast: false };
        return { event: { type: "run", ...(JSON.parse(data) as RunChange) }, isLast: false };
      },
      repeat: "always",
      maxReopenings: transport.maxReopenings(options),
      signal: options.signal,
    });
  }

  /** What its nodes did, without values. */
  nodes(
    runId: string,
    { container, round, status, ...page }: NodeRecordsRequest = {},
    options: CallOptions = {},
  ): PagePromise<NodeRecord> {
    const query = { ...pageQuery(page), container, "filter[round]": round, "filter[status]": status };
    return listOf(this.#transport, pathOf(ROOT, runId, "nodes"), query, options);
  }

  /** What went into one node and came out of it. */
  nodeValues(runId: string, nodeKey: string, options: CallOptions = {}): Promise<NodeValues> {
    return this.#transport.data("GET", pathOf(ROOT, runId, "nodes", nodeKey), options);
  }

  /** What the run was started with. */
  trigger(runId: string, options: CallOptions = {}): Promise<RunTrigger> {
    return this.#transport.data("GET", pathOf(ROOT, runId, "trigger"), options);
  }

  /**
   * A link that shows the run to whoever has it: structure, times and statuses, and the values of the nodes in `reveal`.
   * Needs the role `member`; every view is in the audit log.
   */
  share(runId: string, request: ShareRequest = {}, options: CallOptions = {}): Promise<Share> {
    return this.#transport.data("POST", pathOf(ROOT, runId, "share"), { ...options, body: request });
  }

  /** A test of the flow out of what a run did; values are replaced unless `keep` names them. Nothing is stored. */
  saveTest(
    runId: string,
    request: {
      readonly keep?: readonly string[] | undefined;
      readonly id?: string | undefined;
      readonly name?: string | undefined;
    } = {},
    options: CallOptions = {},
  ): Promise<SavedTest> {
    const call: Call = { ...options, body: request, repeat: "always" };
    return this.#transport.data("POST", pathOf(ROOT, runId, "test"), call);
  }

  /** Ends such a link. */
  unshare(runId: string, shareId: string, options: CallOptions = {}): Promise<Revoked> {
    return this.#transport.data("DELETE", pathOf(ROOT, runId, "share", shareId), options);
  }
}
