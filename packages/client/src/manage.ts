import {
  type AuditRequest,
  endpointPath,
  listQuery,
  type ManageListRequest,
  type ManageRequest,
  type Query,
  scope,
} from "./manage-requests.ts";
import { type Page, pageQuery, type PageRequest } from "./paging.ts";
import type { CallOptions, Transport } from "./transport.ts";
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
  ManagedCredential,
  ManagedKey,
  ManagedWebhook,
  Member,
  Organization,
  PutEndpointRequest,
  ResendRequest,
  RotatedKey,
  RotateKeyRequest,
  RotateSecretRequest,
  SetCredentialRequest,
  SigningSecret,
} from "./wire.ts";

type Role = Member["role"];

/** What is around the runs: keys, members, credentials, credits, endpoints, who changed what. Most of it needs an admin's key. */
export class Manage {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  organizations(request: PageRequest = {}, options: CallOptions = {}): Promise<Page<Organization>> {
    return this.#ask("GET", "/organizations", { query: pageQuery(request) }, options);
  }

  changeOrganization(
    organizationId: string,
    body: ChangeOrganizationRequest,
    options: CallOptions = {},
  ): Promise<Organization> {
    return this.#ask("PATCH", `/organizations/${encodeURIComponent(organizationId)}`, { body }, options);
  }

  keys(request: ManageListRequest = {}, options: CallOptions = {}): Promise<Page<ManagedKey>> {
    return this.#ask("GET", "/keys", { query: listQuery(request) }, options);
  }

  /** The key is in the answer and nowhere else. */
  createKey(body: CreateKeyRequest, options: CallOptions = {}): Promise<CreatedKey> {
    return this.#ask("POST", "/keys", { body }, options);
  }

  rotateKey(keyId: string, body: RotateKeyRequest = {}, options: CallOptions = {}): Promise<RotatedKey> {
    return this.#ask("POST", `/keys/${encodeURIComponent(keyId)}/rotate`, { body }, options);
  }

  revokeKey(keyId: string, options: CallOptions = {}): Promise<{ id: string; revokedAt: string }> {
    return this.#ask("DELETE", `/keys/${encodeURIComponent(keyId)}`, {}, options);
  }

  members(request: ManageListRequest = {}, options: CallOptions = {}): Promise<Page<Member>> {
    return this.#ask("GET", "/members", { query: listQuery(request) }, options);
  }

  addMember(body: AddMemberRequest, options: CallOptions = {}): Promise<Member> {
    return this.#ask("POST", "/members", { body }, options);
  }

  changeMember(
    userId: string,
    body: ManageRequest & { readonly role: Role },
    options: CallOptions = {},
  ): Promise<Member> {
    return this.#ask("PATCH", `/members/${encodeURIComponent(userId)}`, { body }, options);
  }

  removeMember(
    userId: string,
    query: ManageRequest = {},
    options: CallOptions = {},
  ): Promise<{ userId: string; removed: true }> {
    return this.#ask("DELETE", `/members/${encodeURIComponent(userId)}`, { query: scope(query) }, options);
  }

  credentials(request: ManageListRequest = {}, options: CallOptions = {}): Promise<Page<ManagedCredential>> {
    return this.#ask("GET", "/credentials", { query: listQuery(request) }, options);
  }

  setCredential(
    id: string,
    body: SetCredentialRequest,
    options: CallOptions = {},
  ): Promise<{ id: string; action: "created" | "updated" | "unchanged" }> {
    return this.#ask("PUT", `/credentials/${encodeURIComponent(id)}`, { body }, options);
  }

  deleteCredential(
    id: string,
    query: ManageRequest = {},
    options: CallOptions = {},
  ): Promise<{ id: string; deleted: true }> {
    return this.#ask("DELETE", `/credentials/${encodeURIComponent(id)}`, { query: scope(query) }, options);
  }

  credits(query: ManageRequest = {}, options: CallOptions = {}): Promise<Credits> {
    return this.#ask("GET", "/credits", { query: scope(query) }, options);
  }

  creditEntries(request: ManageListRequest = {}, options: CallOptions = {}): Promise<Page<CreditEntry>> {
    return this.#ask("GET", "/credits/entries", { query: listQuery(request) }, options);
  }

  grantCredits(body: GrantCreditsRequest, options: CallOptions = {}): Promise<Credits> {
    return this.#ask("POST", "/credits/entries", { body }, options);
  }

  eventEndpoints(request: ManageListRequest = {}, options: CallOptions = {}): Promise<Page<EventEndpoint>> {
    return this.#ask("GET", "/event-endpoints", { query: listQuery(request) }, options);
  }

  /** Creates an endpoint, or changes where and what it is sent. */
  putEventEndpoint(id: string, body: PutEndpointRequest, options: CallOptions = {}): Promise<EventEndpoint> {
    return this.#ask("PUT", endpointPath(id), { body }, options);
  }

  deleteEventEndpoint(
    id: string,
    query: ManageRequest = {},
    options: CallOptions = {},
  ): Promise<{ id: string; deleted: true }> {
    return this.#ask("DELETE", endpointPath(id), { query: scope(query) }, options);
  }

  switchEventEndpoint(
    id: string,
    { enabled, ...query }: ManageRequest & { readonly enabled: boolean },
    options: CallOptions = {},
  ): Promise<EventEndpoint> {
    const path = endpointPath(id, enabled ? "enable" : "disable");
    return this.#ask("POST", path, { query: scope(query) }, options);
  }

  eventEndpointSecret(
    id: string,
    query: ManageRequest = {},
    options: CallOptions = {},
  ): Promise<SigningSecret> {
    return this.#ask("GET", endpointPath(id, "secret"), { query: scope(query) }, options);
  }

  rotateEventEndpointSecret(
    id: string,
    { organizationId, ...body }: ManageRequest & RotateSecretRequest = {},
    options: CallOptions = {},
  ): Promise<SigningSecret> {
    const query = scope({ organizationId });
    return this.#ask("POST", endpointPath(id, "rotate-secret"), { query, body }, options);
  }

  /** The service sends a test event, by its own rules for what may be reached. */
  testEventEndpoint(id: string, query: ManageRequest = {}, options: CallOptions = {}): Promise<EndpointTest> {
    return this.#ask("POST", endpointPath(id, "test"), { query: scope(query) }, options);
  }

  deliveries(
    endpointId: string,
    { state, ...request }: ManageListRequest & { readonly state?: Delivery["state"] } = {},
    options: CallOptions = {},
  ): Promise<Page<Delivery>> {
    const query = { ...listQuery(request), "filter[state]": state };
    return this.#ask("GET", endpointPath(endpointId, "deliveries"), { query }, options);
  }

  resendDeliveries(
    endpointId: string,
    { organizationId, ...body }: ManageRequest & ResendRequest,
    options: CallOptions = {},
  ): Promise<{ resent: number }> {
    const query = scope({ organizationId });
    return this.#ask("POST", endpointPath(endpointId, "deliveries/resend"), { query, body }, options);
  }

  webhooks(request: ManageListRequest = {}, options: CallOptions = {}): Promise<Page<ManagedWebhook>> {
    return this.#ask("GET", "/webhooks", { query: listQuery(request) }, options);
  }

  /** A new address; the old one is refused at once. */
  regenerateWebhook(flowId: string, options: CallOptions = {}): Promise<ManagedWebhook> {
    return this.#ask("POST", `/webhooks/${encodeURIComponent(flowId)}/regenerate`, {}, options);
  }

  switchWebhook(flowId: string, enabled: boolean, options: CallOptions = {}): Promise<ManagedWebhook> {
    const verb = enabled ? "enable" : "disable";
    return this.#ask("POST", `/webhooks/${encodeURIComponent(flowId)}/${verb}`, {}, options);
  }

  deleteWebhook(flowId: string, options: CallOptions = {}): Promise<{ flowId: string; deleted: true }> {
    return this.#ask("DELETE", `/webhooks/${encodeURIComponent(flowId)}`, {}, options);
  }

  /** Those of the key's user, or for owners of everybody who reaches the organization that is named. */
  sessions(request: ManageListRequest = {}, options: CallOptions = {}): Promise<Page<ConsoleSession>> {
    return this.#ask("GET", "/sessions", { query: listQuery(request) }, options);
  }

  endSession(id: string, options: CallOptions = {}): Promise<{ id: string; ended: true }> {
    return this.#ask("DELETE", `/sessions/${encodeURIComponent(id)}`, {}, options);
  }

  audit(request: AuditRequest = {}, options: CallOptions = {}): Promise<Page<AuditEntry>> {
    const query = {
      ...listQuery(request),
      "filter[action]": request.action,
      "filter[target]": request.target,
      "filter[userId]": request.userId,
      "filter[from]": request.from,
      "filter[to]": request.to,
    };
    return this.#ask("GET", "/audit", { query }, options);
  }

  async #ask<Data>(
    method: string,
    path: string,
    call: { readonly query?: Query; readonly body?: unknown },
    options: CallOptions,
  ): Promise<Data> {
    const answer = await this.#transport.call<{ data: Data }>(method, `/manage${path}`, {
      ...options,
      ...call,
    });
    return answer.data;
  }
}
