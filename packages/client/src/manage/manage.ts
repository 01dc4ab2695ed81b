import { listOf, type PagePromise, pageQuery, type PageRequest, pathOf } from "../paging.ts";
import type { CallOptions, Query, Transport } from "../transport.ts";
import type {
  AddMemberRequest,
  AuditEntry,
  ChangeOrganizationRequest,
  ConsoleSession,
  CreatedKey,
  CreateKeyRequest,
  CreditEntry,
  Credits,
  Delivery,
  EndpointTest,
  EventEndpoint,
  GrantCreditsRequest,
  ManagedApproval,
  ManagedCredential,
  ManagedKey,
  ManagedWebhook,
  Member,
  Organization,
  PutEndpointRequest,
  ResendRequest,
  Revoked,
  RotatedKey,
  RotateKeyRequest,
  RotateSecretRequest,
  SetCredentialRequest,
  SigningSecret,
} from "../wire.ts";
import { ManagedAgents } from "./agents.ts";
import { Deploys } from "./deploys.ts";
import { ManagedEvents } from "./events.ts";
import { Jobs } from "./jobs.ts";
import {
  type AuditRequest,
  listQuery,
  type ManageListRequest,
  type ManageRequest,
  scope,
} from "./requests.ts";
import { ManagedRuns } from "./runs.ts";
import { ManagedService } from "./service.ts";
import { ManagedVariables } from "./variables.ts";

type Role = Member["role"];

/** What is around the runs: keys, members, credentials, credits, endpoints, who changed what. Most of it needs an admin's key. */
export class Manage {
  /** Documents, versions and drafts of flows, schedules. */
  readonly deploys: Deploys;
  readonly jobs: Jobs;
  readonly runs: ManagedRuns;
  readonly agents: ManagedAgents;
  readonly events: ManagedEvents;
  readonly variables: ManagedVariables;
  readonly service: ManagedService;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.deploys = new Deploys(transport);
    this.jobs = new Jobs(transport);
    this.runs = new ManagedRuns(transport);
    this.agents = new ManagedAgents(transport);
    this.events = new ManagedEvents(transport);
    this.variables = new ManagedVariables(transport);
    this.service = new ManagedService(transport);
  }

  organizations(request: PageRequest = {}, options: CallOptions = {}): PagePromise<Organization> {
    return this.#list("/organizations", pageQuery(request), options);
  }

  changeOrganization(
    organizationId: string,
    body: ChangeOrganizationRequest,
    options: CallOptions = {},
  ): Promise<Organization> {
    return this.#ask("PATCH", pathOf("/organizations", organizationId), { body }, options);
  }

  /** What runs ask people right now, the newest question first; `runs.resume` answers one. */
  approvals(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<ManagedApproval> {
    return this.#list("/approvals", listQuery(request), options);
  }

  keys(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<ManagedKey> {
    return this.#list("/keys", listQuery(request), options);
  }

  /** The key is in the answer and nowhere else. */
  createKey(body: CreateKeyRequest, options: CallOptions = {}): Promise<CreatedKey> {
    return this.#ask("POST", "/keys", { body }, options);
  }

  rotateKey(keyId: string, body: RotateKeyRequest = {}, options: CallOptions = {}): Promise<RotatedKey> {
    return this.#ask("POST", pathOf("/keys", keyId, "rotate"), { body }, options);
  }

  revokeKey(keyId: string, options: CallOptions = {}): Promise<Revoked> {
    return this.#ask("DELETE", pathOf("/keys", keyId), {}, options);
  }

  members(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<Member> {
    return this.#list("/members", listQuery(request), options);
  }

  addMember(body: AddMemberRequest, options: CallOptions = {}): Promise<Member> {
    return this.#ask("POST", "/members", { body }, options);
  }

  changeMember(
    userId: string,
    body: ManageRequest & { readonly role: Role },
    options: CallOptions = {},
  ): Promise<Member> {
    return this.#ask("PATCH", pathOf("/members", userId), { body }, options);
  }

  removeMember(
    userId: string,
    query: ManageRequest = {},
    options: CallOptions = {},
  ): Promise<{ userId: string; removed: true }> {
    return this.#ask("DELETE", pathOf("/members", userId), { query: scope(query) }, options);
  }

  credentials(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<ManagedCredential> {
    return this.#list("/credentials", listQuery(request), options);
  }

  setCredential(
    id: string,
    body: SetCredentialRequest,
    options: CallOptions = {},
  ): Promise<{ id: string; action: "created" | "updated" | "unchanged" }> {
    return this.#ask("PUT", pathOf("/credentials", id), { body }, options);
  }

  deleteCredential(
    id: string,
    query: ManageRequest = {},
    options: CallOptions = {},
  ): Promise<{ id: string; deleted: true }> {
    return this.#ask("DELETE", pathOf("/credentials", id), { query: scope(query) }, options);
  }

  credits(query: ManageRequest = {}, options: CallOptions = {}): Promise<Credits> {
    return this.#ask("GET", "/credits", { query: scope(query) }, options);
  }

  creditEntries(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<CreditEntry> {
    return this.#list("/credits/entries", listQuery(request), options);
  }

  grantCredits(body: GrantCreditsRequest, options: CallOptions = {}): Promise<Credits> {
    return this.#ask("POST", "/credits/entries", { body }, options);
  }

  eventEndpoints(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<EventEndpoint> {
    return this.#list("/event-endpoints", listQuery(request), options);
  }

  /** Creates an endpoint, or changes where and what it is sent. */
  putEventEndpoint(id: string, body: PutEndpointRequest, options: CallOptions = {}): Promise<EventEndpoint> {
    return this.#ask("PUT", pathOf("/event-endpoints", id), { body }, options);
  }

  deleteEventEndpoint(
    id: string,
    query: ManageRequest = {},
    options: CallOptions = {},
  ): Promise<{ id: string; deleted: true }> {
    return this.#ask("DELETE", pathOf("/event-endpoints", id), { query: scope(query) }, options);
  }

  switchEventEndpoint(
    id: string,
    { enabled, ...query }: ManageRequest & { readonly enabled: boolean },
    options: CallOptions = {},
  ): Promise<EventEndpoint> {
    const path = pathOf("/event-endpoints", id, enabled ? "enable" : "disable");
    return this.#ask("POST", path, { query: scope(query) }, options);
  }

  eventEndpointSecret(
    id: string,
    query: ManageRequest = {},
    options: CallOptions = {},
  ): Promise<SigningSecret> {
    return this.#ask("GET", pathOf("/event-endpoints", id, "secret"), { query: scope(query) }, options);
  }

  rotateEventEndpointSecret(
    id: string,
    { organizationId, ...body }: ManageRequest & RotateSecretRequest = {},
    options: CallOptions = {},
  ): Promise<SigningSecret> {
    const query = scope({ organizationId });
    return this.#ask("POST", pathOf("/event-endpoints", id, "rotate-secret"), { query, body }, options);
  }

  /** The service sends a test event, by its own rules for what may be reached. */
  testEventEndpoint(id: string, query: ManageRequest = {}, options: CallOptions = {}): Promise<EndpointTest> {
    return this.#ask("POST", pathOf("/event-endpoints", id, "test"), { query: scope(query) }, options);
  }

  deliveries(
    endpointId: string,
    { state, ...request }: ManageListRequest & { readonly state?: Delivery["state"] } = {},
    options: CallOptions = {},
  ): PagePromise<Delivery> {
    const query = { ...listQuery(request), "filter[state]": state };
    return this.#list(pathOf("/event-endpoints", endpointId, "deliveries"), query, options);
  }

  resendDeliveries(
    endpointId: string,
    { organizationId, ...body }: ManageRequest & ResendRequest,
    options: CallOptions = {},
  ): Promise<{ resent: number }> {
    const query = scope({ organizationId });
    return this.#ask(
      "POST",
      pathOf("/event-endpoints", endpointId, "deliveries", "resend"),
      { query, body },
      options,
    );
  }

  webhooks(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<ManagedWebhook> {
    return this.#list("/webhooks", listQuery(request), options);
  }

  /** A new address; the old one is refused at once. */
  regenerateWebhook(flowId: string, options: CallOptions = {}): Promise<ManagedWebhook> {
    return this.#ask("POST", pathOf("/webhooks", flowId, "regenerate"), {}, options);
  }

  switchWebhook(flowId: string, enabled: boolean, options: CallOptions = {}): Promise<ManagedWebhook> {
    const verb = enabled ? "enable" : "disable";
    return this.#ask("POST", pathOf("/webhooks", flowId, verb), {}, options);
  }

  deleteWebhook(flowId: string, options: CallOptions = {}): Promise<{ flowId: string; deleted: true }> {
    return this.#ask("DELETE", pathOf("/webhooks", flowId), {}, options);
  }

  /** Those of the key's user, or for owners of everybody who reaches the organization that is named. */
  sessions(request: ManageListRequest = {}, options: CallOptions = {}): PagePromise<ConsoleSession> {
    return this.#list("/sessions", listQuery(request), options);
  }

  endSession(id: string, options: CallOptions = {}): Promise<{ id: string; ended: true }> {
    return this.#ask("DELETE", pathOf("/sessions", id), {}, options);
  }

  audit(request: AuditRequest = {}, options: CallOptions = {}): PagePromise<AuditEntry> {
    const query = {
      ...listQuery(request),
      "filter[action]": request.action,
      "filter[target]": request.target,
      "filter[userId]": request.userId,
      "filter[from]": request.from,
      "filter[to]": request.to,
    };
    return this.#list("/audit", query, options);
  }

  #ask<Data>(
    method: string,
    path: string,
    call: { readonly query?: Query; readonly body?: unknown },
    options: CallOptions,
  ): Promise<Data> {
    return this.#transport.data(method, `/manage${path}`, { ...options, ...call });
  }

  #list<Item>(path: string, query: Query, options: CallOptions): PagePromise<Item> {
    return listOf(this.#transport, `/manage${path}`, query, options);
  }
}
