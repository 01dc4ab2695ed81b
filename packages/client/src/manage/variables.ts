import { listOf, type PagePromise } from "../paging.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type { SetVariablesRequest, Variables, VariableVersion } from "../wire.ts";
import { listQuery, type ManageListRequest, type ManageRequest } from "./requests.ts";

/** Plain values of an organization that expressions read as `vars`. */
export class ManagedVariables {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The version in force, or an earlier one. */
  get(
    { organizationId, version }: ManageRequest & { readonly version?: number | undefined } = {},
    options: CallOptions = {},
  ): Promise<Variables> {
    const query = { organizationId, version };
    return this.#transport.data("GET", "/manage/variables", { ...options, query });
  }

  /** All of them. Fails with status 409 and the present `data.version` where somebody else was faster. */
  set(request: SetVariablesRequest, options: CallOptions = {}): Promise<Variables> {
    return this.#transport.data("PUT", "/manage/variables", { ...options, body: request });
  }

  /** Newest first. */
  versions(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<VariableVersion> {
    return listOf(this.#transport, "/manage/variables/versions", listQuery(request), options);
  }
}
