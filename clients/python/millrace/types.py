# Written by `npm run wire` from packages/contract; do not edit.
"""What is exchanged with the service, as it stands in its JSON."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


ErrorCode: TypeAlias = Literal["unauthorized", "not_assigned", "access_denied", "organization_access_denied", "host_not_allowed", "origin_not_allowed", "not_a_member", "sign_in_provider_unavailable", "cross_site_request", "user_disabled", "organization_suspended", "link_not_found", "session_not_found", "invalid_request_body", "invalid_query", "bad_request", "invalid_flow_id", "invalid_agent_id", "invalid_id", "invalid_run_id", "invalid_last_event_id", "route_not_found", "method_not_allowed", "request_timeout", "payload_too_large", "uri_too_long", "unsupported_media_type", "too_many_requests", "headers_too_large", "webhook_disabled", "flow_validation_failed", "tests_failed", "tests_missing", "documents_invalid", "flow_not_found", "template_not_found", "test_not_found", "version_not_found", "schedule_not_found", "agent_not_found", "documents_changed", "draft_changed", "flow_id_taken", "flow_passive", "agent_passive", "run_not_cancelable", "run_not_forkable", "run_not_resumable", "approval_not_named", "run_failed", "queue_item_not_waiting", "insufficient_credits", "run_not_found", "node_not_found", "job_not_found", "queue_item_not_found", "queue_limit_reached", "key_not_found", "key_not_rotatable", "member_not_found", "member_exists", "user_mismatch", "last_owner", "credential_not_found", "variables_changed", "variables_not_found", "event_not_found", "event_endpoint_not_found", "secret_still_valid", "webhook_not_found", "credits_unlimited", "session_busy", "internal_error", "upstream_failed", "upstream_unavailable", "reply_interrupted", "service_unavailable", "upstream_timed_out"]


class Issue(TypedDict):
    path: list[str | float]
    message: str


class Pagination(TypedDict):
    next: NotRequired[str]
    """cursor for page[after]; absent on the last page"""
    prev: NotRequired[str]
    """cursor for page[before]; absent on the first page"""


class IdentityUser(TypedDict):
    id: str
    email: str
    name: str


class IdentitySession(TypedDict):
    id: str
    """api-key-{keyId}, or the console session"""
    expiresAt: str
    activeOrganizationId: None


class Identity(TypedDict):
    authenticated: Literal[True]
    user: IdentityUser
    session: IdentitySession


RunStatus: TypeAlias = Literal["WAITING", "EXECUTING", "PAUSED", "COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT"]


TerminalStatus: TypeAlias = Literal["COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT"]


NodeStatus: TypeAlias = Literal["EXECUTING", "PAUSED", "COMPLETED", "FAILED", "CANCELED", "ABORTED", "TIMED_OUT"]


TaskIdentifier: TypeAlias = Literal["execute-flow", "execute-subflow"]


TriggerSource: TypeAlias = Literal["api", "manual", "webhook", "schedule", "subflow", "unknown"]


class RunPayload(TypedDict):
    organizationId: str
    flowId: str
    triggerSource: TriggerSource


class FlowRun(TypedDict):
    id: str
    """starts with run_"""
    status: RunStatus
    taskIdentifier: TaskIdentifier
    payload: RunPayload
    tags: list[str]
    createdAt: str
    updatedAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]


class Run(FlowRun):
    version: str
    """of the flow when the run was triggered, YYYYMMDD.N"""


class RunError(TypedDict):
    name: str
    message: str
    nodeId: NotRequired[str]


class RunPause(TypedDict):
    nodeId: str
    nodeKey: str
    """what an answer names: the node id, with the round inside containers: ask[3]"""
    kind: Literal["wait", "approval", "run-flow"]
    message: NotRequired[str]
    """the question of an approval"""
    assignees: NotRequired[list[str]]
    """who may answer with a key, beside admins and owners"""
    form: NotRequired[dict[str, Any]]
    """JSON Schema of the answer's data"""
    resumeUrl: NotRequired[str]
    """single-use link that answers this approval without a key"""
    until: NotRequired[str]


class ForkedFrom(TypedDict):
    runId: str
    nodeKey: str
    """where the fork begins"""


class RunFork(TypedDict):
    runId: str
    nodeKey: str
    createdAt: str


class RunDetailPayload(TypedDict):
    organizationId: str
    flowId: str
    triggerSource: TriggerSource
    data: NotRequired[dict[str, Any]]
    """custom data of the trigger, echoed"""


class RunDetail(TypedDict):
    id: str
    """starts with run_"""
    status: RunStatus
    taskIdentifier: TaskIdentifier
    payload: RunDetailPayload
    tags: list[str]
    createdAt: str
    updatedAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]
    version: str
    """of the flow when the run was triggered, YYYYMMDD.N"""
    output: NotRequired[dict[str, Any]]
    """what the flow returned; COMPLETED only"""
    duration: NotRequired[float]
    """seconds; COMPLETED only"""
    error: NotRequired[RunError]
    """FAILED, CRASHED and TIMED_OUT only"""
    pause: NotRequired[RunPause]
    """what the run waits for, of several an approval first; PAUSED only"""
    waits: NotRequired[list[RunPause]]
    """all that its nodes wait for right now, at most 100, also while other branches execute"""
    forkedFrom: NotRequired[ForkedFrom]
    """the run that this one goes on from"""
    forks: NotRequired[list[RunFork]]
    """runs that go on from this one, newest first, at most 100"""
    valuesHidden: NotRequired[bool]
    """the organization hides values and messages from viewers"""


class RunNodeError(TypedDict):
    name: str
    message: str


class RunNode(TypedDict):
    nodeKey: str
    """the node id, with the round inside containers: fetch[3]"""
    nodeId: str
    type: str
    status: NodeStatus
    """CANCELED, ABORTED and TIMED_OUT: it was stopped by a cancel, by the end of the run in another branch, by a limit of time"""
    startedAt: str
    completedAt: NotRequired[str]
    """where the node has ended"""
    attempts: int
    input: NotRequired[dict[str, Any]]
    output: NotRequired[dict[str, Any]]
    handle: NotRequired[str]
    """the way out that was taken"""
    error: NotRequired[RunNodeError]
    log: list[str]
    valuesLeftOut: NotRequired[bool]
    """input and output are not shown: those of the nodes before have 5 MB together"""
    valuesHidden: NotRequired[bool]
    """the organization hides values and messages from viewers"""


class RunStreamEventConnected(TypedDict):
    type: Literal["connected"]
    runId: str


class RunStreamEventUpdateData(TypedDict):
    id: str
    """starts with run_"""
    status: RunStatus
    taskIdentifier: TaskIdentifier
    payload: RunPayload
    updatedAt: str


class RunStreamEventUpdate(TypedDict):
    type: Literal["update"]
    data: RunStreamEventUpdateData


class RunStreamEventNodeData(TypedDict):
    nodeKey: str
    nodeId: str
    type: str
    status: NodeStatus
    startedAt: str
    completedAt: NotRequired[str]
    """where the node has ended"""


class RunStreamEventNode(TypedDict):
    type: Literal["node"]
    data: RunStreamEventNodeData


class RunStreamEventCompleted(TypedDict):
    type: Literal["completed"]
    status: TerminalStatus


class RunStreamEventError(TypedDict):
    type: Literal["error"]
    error: str


RunStreamEvent: TypeAlias = "RunStreamEventConnected | RunStreamEventUpdate | RunStreamEventNode | RunStreamEventCompleted | RunStreamEventError"


class RunCreatedPayload(TypedDict):
    organizationId: str
    flowId: str


class RunCreated(TypedDict):
    id: str
    """starts with run_"""
    status: RunStatus
    taskIdentifier: TaskIdentifier
    payload: RunCreatedPayload
    createdAt: str


class RunQueued(TypedDict):
    status: Literal["queued"]
    queueId: str
    """starts with queue_"""
    runHistoryId: str
    """starts with rh_"""


class RunCanceled(TypedDict):
    id: str
    status: Literal["CANCELED"]
    canceledAt: str


class RunResumed(TypedDict):
    id: str
    nodeId: str
    nodeKey: str
    decision: Literal["approved", "rejected"]
    resumedAt: str


class WhyHeldByItem(TypedDict):
    runId: str
    flowId: str
    status: RunStatus
    since: str
    """when it got the slot; of a sub-flow, when it was started"""


class WhyError(TypedDict):
    name: str
    message: NotRequired[str]
    """left out for those who do not see values"""
    nodeKey: str
    """the node that failed"""


class WhyNeeds(TypedDict):
    kind: Literal["approval", "credits"]
    nodeKey: NotRequired[str]
    """of the approval"""
    message: NotRequired[str]
    """the question of the approval"""
    role: NotRequired[str]
    """the least role of those who may answer"""
    assignees: NotRequired[list[str]]
    """users, by id or address: of the members they alone may answer, beside admins and owners"""
    link: NotRequired[str]
    """a single-use link that answers the approval without a key"""


class WhyActionsItem(TypedDict):
    action: Literal["cancel", "approve", "why", "raise_limit", "start_worker", "grant_credits", "activate_flow", "lift_suspension"]
    command: str
    """of the command line"""
    method: NotRequired[str]
    path: NotRequired[str]
    """of this API, where it can be done here"""


class Why(TypedDict):
    waiting: bool
    """false: the run executes, or it has ended"""
    cause: Literal["ended", "executing", "slot", "delay", "retry", "approval", "timer", "subflow", "credits", "suspended_organization", "worker", "no_worker", "lost_worker"]
    reason: str
    """one sentence, in the language of X-Locale"""
    since: str
    """since when this is so"""
    until: NotRequired[str]
    """when it is over"""
    untilIsEstimate: NotRequired[bool]
    """until follows from how long runs of the same flows took lately"""
    position: NotRequired[int]
    """place in the queue, 1 = next"""
    positionIsMinimum: NotRequired[bool]
    """so many are before it that they were not counted to the end: position is the least it can be"""
    heldBy: NotRequired[list[WhyHeldByItem]]
    """the runs that hold the slots, at most ten, the oldest first; or the runs of sub-flows"""
    error: NotRequired[WhyError]
    """after which it is tried again"""
    needs: NotRequired[WhyNeeds]
    """what somebody has to do"""
    notes: NotRequired[list[Literal["inactive_flow", "no_worker", "suspended_organization"]]]
    """what is also true"""
    actions: list[WhyActionsItem]
    """what can be done about it; only what this key may do, where a role is needed"""


class TriggerRequestPayloadTrigger(TypedDict):
    body: NotRequired[Any]
    headers: NotRequired[dict[str, Any]]
    method: NotRequired[str]
    query: NotRequired[dict[str, Any]]


class TriggerRequestPayload(TypedDict):
    organizationId: NotRequired[str]
    """required with a user-scoped key"""
    flowId: str
    """the flow to execute"""
    inputs: NotRequired[dict[str, Any]]
    """overrides of node inputs, keyed {nodeId}_{inputName}"""
    trigger: NotRequired[TriggerRequestPayloadTrigger]
    """body, headers, method and query, merged onto the start node"""
    data: NotRequired[dict[str, Any]]
    """custom data, echoed in the run's payload"""
    triggerSource: NotRequired[TriggerSource]
    """who started the run"""


class TriggerRequest(TypedDict):
    payload: TriggerRequestPayload
    idempotencyKey: NotRequired[str]
    """a second trigger with the same key returns the run of the first"""
    delay: NotRequired[str]
    """time before the start: 30s, 5m, 1h, 2d"""
    tags: NotRequired[list[str]]
    """at most 10 tags of 1 to 128 characters"""
    maxAttempts: NotRequired[int]
    """attempts in all, 1 to 100"""
    maxDuration: NotRequired[float]
    """seconds of active time, at most 86400; more is clamped"""
    isTest: NotRequired[bool]
    """marks the run for filter[isTest]"""


class ResumeRequest(TypedDict):
    nodeId: NotRequired[str]
    """the node key of the approval, such as ask or ask[2]; needed where several are pending, or one was answered without it"""
    decision: Literal["approved", "rejected"]
    data: NotRequired[dict[str, Any]]
    """handed to the flow with the decision"""


class RunDraftAnswer(RunCreated):
    warnings: list[str]
    """what of the run could not be taken over"""


class ForkCreated(RunDraftAnswer):
    forkedFrom: ForkedFrom


class RunDraftAnswer2(RunQueued):
    warnings: list[str]
    """what of the run could not be taken over"""


class ForkQueued(RunDraftAnswer2):
    forkedFrom: ForkedFrom


class PatchOperation1(TypedDict):
    op: Literal["add"]
    path: str
    value: Any


class PatchOperation2(TypedDict):
    op: Literal["replace"]
    path: str
    value: Any


class PatchOperation3(TypedDict):
    op: Literal["remove"]
    path: str


PatchOperation: TypeAlias = "PatchOperation1 | PatchOperation2 | PatchOperation3"


class ComparedNodeA(TypedDict):
    status: NodeStatus
    handle: NotRequired[str]
    """the way out that was taken"""
    duration: float
    """seconds"""
    attempts: int


class ComparedNodeInput(TypedDict):
    equal: bool
    patch: NotRequired[list[PatchOperation]]
    """JSON Patch (RFC 6902) from a to b"""
    leftOut: NotRequired[bool]
    """they differ in more than 200 places, or are too large to be compared in one answer"""


class ComparedNode(TypedDict):
    nodeKey: str
    """the node id, with the round inside containers: fetch[3]"""
    nodeId: str
    type: str
    a: NotRequired[ComparedNodeA]
    """missing where the run has not come to the node"""
    b: NotRequired[ComparedNodeA]
    """missing where the run has not come to the node"""
    differs: list[Literal["presence", "status", "handle", "input", "output", "error"]]
    """in what the runs differ here; empty where they do not"""
    input: NotRequired[ComparedNodeInput]
    """where both runs came to the node"""
    output: NotRequired[ComparedNodeInput]


class RunComparisonA(TypedDict):
    id: str
    flowId: str
    version: str
    status: RunStatus


class RunComparison(TypedDict):
    a: RunComparisonA
    b: RunComparisonA
    nodes: list[ComparedNode]
    """by time, at most 5,000"""
    total: int
    """how many nodes there are in both runs"""
    firstDivergence: str | None
    """node key of the first node in which the runs differ"""


ForkRequest = TypedDict(
    "ForkRequest",
    {
        "from": "NotRequired[str]",
        "version": "NotRequired[str]",
        "data": "NotRequired[dict[str, Any]]",
        "inputs": "NotRequired[dict[str, Any]]",
        "trigger": "NotRequired[TriggerRequestPayloadTrigger]",
        "outputs": "NotRequired[dict[str, Any]]",
        "idempotencyKey": "NotRequired[str]",
        "tags": "NotRequired[list[str]]",
    },
)


class QueueItem(TypedDict):
    id: str
    """starts with queue_"""
    status: Literal["waiting", "dispatching"]
    flowId: str
    runHistoryId: str
    """starts with rh_"""
    createdAt: str


class QueueItemDetail(TypedDict):
    id: str
    """starts with queue_"""
    status: Literal["waiting", "dispatching", "dispatched"]
    flowId: str
    runHistoryId: str
    """starts with rh_"""
    createdAt: str
    organizationId: str
    position: NotRequired[int]
    """1 = next; while it waits"""
    reason: NotRequired[Literal["concurrency_limit"]]
    """why it waits"""
    updatedAt: str
    runId: NotRequired[str]
    """once dispatched"""


class QueueItemCanceled(TypedDict):
    id: str
    status: Literal["canceled"]
    runHistoryId: str
    canceledAt: str


class FlowTool(TypedDict):
    description: str
    readOnly: NotRequired[bool]


class Flow(TypedDict):
    id: str
    name: str
    slug: str | None
    organizationId: str
    active: bool
    """false: paused; webhook starts are refused"""
    createdAt: str
    updatedAt: str | None
    input: NotRequired[dict[str, Any]]
    """JSON Schema of trigger.body; get flow alone shows it"""
    tool: NotRequired[FlowTool]
    """how the flow is offered as a tool; get flow alone shows it"""


class Agent(TypedDict):
    id: str
    name: str
    slug: str | None
    active: bool
    organizationId: str
    modelIds: list[str]
    createdAt: str
    updatedAt: str | None


class Session(TypedDict):
    sessionId: str
    externalId: str
    """opaque second name of the session"""


class MessageReply(TypedDict):
    text: str


class ChatStreamEventTextDelta(TypedDict):
    type: Literal["text-delta"]
    delta: str


class ChatStreamEventDone(TypedDict):
    type: Literal["done"]
    text: str


class ChatStreamEventError(TypedDict):
    type: Literal["error"]
    error: str


ChatStreamEvent: TypeAlias = "ChatStreamEventTextDelta | ChatStreamEventDone | ChatStreamEventError"


class ChatToolEventToolCall(TypedDict):
    type: Literal["tool-call"]
    toolCallId: str
    toolName: str
    input: Any
    """the arguments; { truncated: true } for large ones"""


class ChatToolEventToolResult(TypedDict):
    type: Literal["tool-result"]
    toolCallId: str
    """of the tool-call"""
    toolName: str
    output: str
    """at most 10,000 characters of what the model was told"""
    isError: bool


ChatToolEvent: TypeAlias = "ChatToolEventToolCall | ChatToolEventToolResult"


class SessionRequest(TypedDict):
    organizationId: NotRequired[str]
    """required with a user-scoped key"""
    endUserId: NotRequired[str]
    """your id for the end user"""


class MessageRequest(TypedDict):
    organizationId: NotRequired[str]
    """required with a user-scoped key"""
    message: str
    """1 to 32000 characters"""


EventKind: TypeAlias = Literal["run.created", "run.started", "run.retrying", "run.paused", "run.resumed", "run.completed", "run.failed", "run.canceled", "run.crashed", "run.timed_out", "queue.item_created", "queue.item_dispatched", "queue.item_canceled", "agent.session_created", "agent.message_completed", "agent.message_failed", "endpoint.test", "endpoint.disabled"]


class EventRunPause(TypedDict):
    nodeId: str
    nodeKey: str
    """the node id, with the round inside containers: ask[3]"""
    kind: Literal["wait", "approval", "run-flow"]
    message: NotRequired[str]
    """the question of an approval"""
    resumeUrl: NotRequired[str]
    """single-use link that answers this approval without a key"""
    until: NotRequired[str]


class EventRun(TypedDict):
    id: str
    """starts with run_"""
    status: RunStatus
    taskIdentifier: TaskIdentifier
    version: str
    flowId: str
    triggerSource: TriggerSource
    tags: list[str]
    isTest: bool
    attempt: int
    createdAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]
    updatedAt: str
    duration: NotRequired[float]
    """seconds; run.completed"""
    error: NotRequired[RunError]
    """run.failed, run.crashed and run.timed_out"""
    pause: NotRequired[EventRunPause]
    """run.paused: what it waits for, of several an approval first"""
    waits: NotRequired[list[EventRunPause]]
    """run.paused: all of them, at most 20"""
    output: NotRequired[dict[str, Any]]
    """run.completed: what the flow returned, up to 64 KB"""
    outputTruncated: NotRequired[Literal[True]]
    """run.completed: the output is larger, and left out"""


class EventQueueItem(TypedDict):
    id: str
    """starts with queue_"""
    status: Literal["waiting", "dispatched", "canceled"]
    flowId: str
    version: str
    triggerSource: TriggerSource
    runHistoryId: str
    """starts with rh_"""
    createdAt: str
    runId: NotRequired[str]
    """once dispatched"""


class EventSession(TypedDict):
    id: str
    agentId: str
    externalId: str
    endUserId: NotRequired[str]
    createdAt: str


class EventMessage(TypedDict):
    agentId: str
    sessionId: str
    number: int
    """of the turn"""
    status: str
    error: NotRequired[str]
    """the code of what went wrong"""
    usage: NotRequired[dict[str, Any]]
    """steps, tool calls and tokens"""
    messageCharacters: NotRequired[int]
    replyCharacters: NotRequired[int]
    createdAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]


class RunEventData(TypedDict):
    run: EventRun


class RunEvent(TypedDict):
    id: str
    """starts with evt_; the same for every attempt"""
    type: Literal["run.created", "run.started", "run.retrying", "run.paused", "run.resumed", "run.completed", "run.failed", "run.canceled", "run.crashed", "run.timed_out"]
    timestamp: str
    """when it happened"""
    organizationId: str
    data: RunEventData


class QueueItemEventData(TypedDict):
    queueItem: EventQueueItem


class QueueItemEvent(TypedDict):
    id: str
    """starts with evt_; the same for every attempt"""
    type: Literal["queue.item_created", "queue.item_dispatched", "queue.item_canceled"]
    timestamp: str
    """when it happened"""
    organizationId: str
    data: QueueItemEventData


class AgentSessionEventData(TypedDict):
    session: EventSession


class AgentSessionEvent(TypedDict):
    id: str
    """starts with evt_; the same for every attempt"""
    type: Literal["agent.session_created"]
    timestamp: str
    """when it happened"""
    organizationId: str
    data: AgentSessionEventData


class AgentMessageEventData(TypedDict):
    message: EventMessage


class AgentMessageEvent(TypedDict):
    id: str
    """starts with evt_; the same for every attempt"""
    type: Literal["agent.message_completed", "agent.message_failed"]
    timestamp: str
    """when it happened"""
    organizationId: str
    data: AgentMessageEventData


class TestEventDataEndpoint(TypedDict):
    id: str


class TestEventData(TypedDict):
    endpoint: TestEventDataEndpoint
    message: str


class TestEvent(TypedDict):
    id: str
    """starts with evt_; the same for every attempt"""
    type: Literal["endpoint.test"]
    timestamp: str
    """when it happened"""
    organizationId: str
    data: TestEventData


class EndpointDisabledEventDataEndpoint(TypedDict):
    id: str
    reason: str
    """gone or failing"""
    disabledAt: str


class EndpointDisabledEventData(TypedDict):
    endpoint: EndpointDisabledEventDataEndpoint


class EndpointDisabledEvent(TypedDict):
    id: str
    """starts with evt_; the same for every attempt"""
    type: Literal["endpoint.disabled"]
    timestamp: str
    """when it happened"""
    organizationId: str
    data: EndpointDisabledEventData


MillraceEvent: TypeAlias = "RunEvent | QueueItemEvent | AgentSessionEvent | AgentMessageEvent | TestEvent | EndpointDisabledEvent"


class OrganizationLimits(TypedDict):
    concurrency: float
    queue: float
    requestsPerMinute: float | None
    """null: the service's own limit"""


class Organization(TypedDict):
    id: str
    name: str
    role: Literal["viewer", "member", "admin", "owner"]
    """what the caller is in it"""
    suspended: bool
    limits: OrganizationLimits
    values: Literal["shown", "hidden"]
    """hidden: viewers see structure, times and statuses of runs, never inputs, outputs or messages"""
    auditDays: float
    """how long the audit log is kept"""
    createdAt: str


class ManagedKey(TypedDict):
    id: str
    name: str
    hint: str
    """its first and last characters"""
    role: Literal["viewer", "member", "admin", "owner"]
    userId: str
    """whom it acts as"""
    state: Literal["active", "rotated", "expired", "revoked"]
    """a rotated key works until it expires"""
    createdAt: str
    expiresAt: str
    lastUsedAt: NotRequired[str]


class CreatedKey(TypedDict):
    id: str
    key: str
    """shown this once"""
    role: Literal["viewer", "member", "admin", "owner"]
    userId: str
    expiresAt: str


class RotatedKey(CreatedKey):
    replaces: str
    replacedExpiresAt: str


class Member(TypedDict):
    userId: str
    email: str
    name: str
    role: Literal["viewer", "member", "admin", "owner"]
    disabled: bool
    """true: none of the user's keys and sessions works, in any organization"""


class ManagedCredential(TypedDict):
    id: str
    type: str
    allowedHosts: list[str]
    createdAt: str
    updatedAt: NotRequired[str]


class ConsoleSession(TypedDict):
    id: str
    userId: str
    method: Literal["link", "key", "oidc"]
    keyId: NotRequired[str]
    """the key it was made with"""
    address: NotRequired[str]
    userAgent: NotRequired[str]
    current: bool
    """whether it is the one that asks"""
    createdAt: str
    lastSeenAt: str
    expiresAt: str


class AuditEntryBy(TypedDict):
    userId: NotRequired[str]
    """absent where nobody signed in: a command beside the database"""
    via: Literal["key", "session", "token", "link", "cli", "service"]
    viaId: NotRequired[str]
    """the key, the session, or the account that ran the command"""
    address: NotRequired[str]


class AuditEntry(TypedDict):
    id: str
    organizationId: str
    createdAt: str
    action: str
    """kind of thing and what was done to it: key.create"""
    target: str
    """id of what was changed"""
    by: AuditEntryBy
    before: NotRequired[dict[str, Any]]
    after: NotRequired[dict[str, Any]]


class Credits(TypedDict):
    organizationId: str
    limited: bool
    """false: unlimited, whatever the ledger says"""
    balance: float


class CreditEntry(TypedDict):
    id: str
    kind: Literal["opening", "grant", "reserve", "settle", "carry"]
    """carry: the entries of runs that ended, added up"""
    amount: float
    runId: NotRequired[str]
    note: NotRequired[str]
    createdAt: str


class ChangeOrganizationRequestLimits(TypedDict):
    concurrency: NotRequired[int]
    """runs at the same time"""
    queue: NotRequired[int]
    """runs that may wait"""
    requestsPerMinute: NotRequired[int]
    """API requests of one user; 0 = no limit"""


class ChangeOrganizationRequest(TypedDict):
    name: NotRequired[str]
    limits: NotRequired[ChangeOrganizationRequestLimits]
    values: NotRequired[Literal["shown", "hidden"]]
    auditDays: NotRequired[int]


class CreateKeyRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    name: str
    """what the key is for"""
    role: NotRequired[Literal["viewer", "member", "admin", "owner"]]
    """what it may do at most; not more than its maker"""
    userId: NotRequired[str]
    """the member it acts as; the caller where left out"""
    expiresIn: NotRequired[str]
    """lifetime: 12h, 90d, 4w"""


class RotateKeyRequest(TypedDict):
    overlap: NotRequired[str]
    """how long the old key keeps working; 0 ends it at once"""
    expiresIn: NotRequired[str]
    """lifetime of the new key; that of the old one where left out"""


class AddMemberRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    userId: str
    email: str
    name: str
    role: NotRequired[Literal["viewer", "member", "admin", "owner"]]


class SetCredentialRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    type: Literal["http-bearer", "http-basic", "http-header", "postgres", "smtp", "model-provider"]
    allowedHosts: NotRequired[list[str]]
    """Where the secret may be sent; required for every http and model type."""
    allowUnencrypted: NotRequired[bool]
    """Lets it be sent without TLS (http, SMTP with `secure: false`, PostgreSQL with `sslmode=disable`), and then to private addresses alone."""
    secret: dict[str, str]
    """encrypted at rest, never shown again; the fields depend on the type"""


class GrantCreditsRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    amount: int
    """added to the balance; a negative one is taken from it"""
    note: NotRequired[str]
    """reason, kept in the ledger"""


class EventEndpoint(TypedDict):
    id: str
    organizationId: str
    url: str
    events: list[str]
    enabled: bool
    disabledReason: NotRequired[str]
    """gone, failing or operator"""
    state: Literal["new", "healthy", "failing", "disabled"]
    delivered: float
    retrying: float
    oldestUntriedAt: NotRequired[str]
    lastSuccessAt: NotRequired[str]
    lastFailureAt: NotRequired[str]
    lastFailure: NotRequired[str]
    createdAt: str


class SigningSecret(TypedDict):
    id: str
    secret: str
    previousUntil: NotRequired[str]
    """until then the secret before it signs, too"""


class EndpointTest(TypedDict):
    eventId: str
    delivered: bool
    status: NotRequired[float]
    failure: NotRequired[str]
    durationMs: float


class Delivery(TypedDict):
    eventId: str
    endpointId: str
    state: Literal["delivered", "retrying", "failed"]
    attempts: float
    nextAt: NotRequired[str]
    lastAt: NotRequired[str]
    lastStatus: NotRequired[float]
    lastFailure: NotRequired[str]
    lastMs: NotRequired[float]
    createdAt: str


class ManagedWebhook(TypedDict):
    flowId: str
    enabled: bool
    url: str
    """starts the flow: whoever has it needs no key"""


class ManagedEvent(TypedDict):
    id: str
    type: str
    organizationId: str
    runId: NotRequired[str]
    at: str


class EventDetailDeliveriesItem(TypedDict):
    eventId: str
    endpointId: str
    state: Literal["delivered", "retrying", "failed"]
    attempts: float
    nextAt: NotRequired[str]
    lastAt: NotRequired[str]
    lastStatus: NotRequired[float]
    lastFailure: NotRequired[str]
    lastMs: NotRequired[float]


class EventDetail(TypedDict):
    event: dict[str, Any]
    """as it is sent, without the output of the run and without links that answer approvals"""
    deliveries: list[EventDetailDeliveriesItem]


class PutEndpointRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    url: str
    """Receives the signed events."""
    events: list[Literal["*", "run.*", "queue.*", "agent.*", "endpoint.*", "run.created", "run.started", "run.retrying", "run.paused", "run.resumed", "run.completed", "run.failed", "run.canceled", "run.crashed", "run.timed_out", "queue.item_created", "queue.item_dispatched", "queue.item_canceled", "agent.session_created", "agent.message_completed", "agent.message_failed", "endpoint.test", "endpoint.disabled"]]


class RotateSecretRequest(TypedDict):
    overlap: NotRequired[str]
    """how long the old secret signs, too"""
    force: NotRequired[bool]
    """also while the secret before it is still valid"""


class ResendRequest(TypedDict):
    eventId: NotRequired[str]
    """one event; else a range of time"""
    since: NotRequired[str]
    until: NotRequired[str]
    """now where left out"""
    onlyFailed: NotRequired[bool]
    """only what was given up"""


class DocumentChange(TypedDict):
    action: Literal["created", "updated", "unchanged", "removed"]
    kind: str
    id: str
    organizationId: str
    version: NotRequired[str]
    """of a flow: the version in force"""
    errors: NotRequired[list[str]]
    """why a flow would not run: it is a draft"""
    warnings: NotRequired[list[str]]


class DocumentFault(TypedDict):
    file: str
    line: int
    column: int
    path: str
    """in the document: graph.nodes[3].data"""
    message: str


class DocumentsResult(TypedDict):
    documents: list[DocumentChange]
    faults: list[DocumentFault]
    revision: str
    """of what is stored and the documents are about"""


class Variables(TypedDict):
    organizationId: str
    version: int
    """0: there have never been any"""
    values: dict[str, Any]
    author: NotRequired[str]
    """the user who set them"""
    note: NotRequired[str]
    createdAt: NotRequired[str]


class VariableVersion(TypedDict):
    version: int
    active: bool
    """runs that are made now see it"""
    author: NotRequired[str]
    """the user who set them"""
    note: NotRequired[str]
    createdAt: str
    names: list[str]


class DocumentsRequestFilesItem(TypedDict):
    path: str
    """how faults name the file"""
    text: str
    """YAML or JSON, several documents separated by ---"""


class DocumentsRequest(TypedDict):
    files: list[DocumentsRequestFilesItem]
    note: NotRequired[str]
    """why; kept with every version that is published"""
    draft: NotRequired[bool]
    """keep a flow that would not run as its draft; the version in force stays"""
    prune: NotRequired[bool]
    """remove what is stored for the organizations of the documents and missing from them"""
    env: NotRequired[dict[str, str]]
    """values for `{ env: NAME }` of secrets; the environment of the service is never read"""
    revision: NotRequired[str]
    """from a plan: refused with 409 where somebody has changed any of it since"""


class SetVariablesRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    values: dict[str, Any]
    """all of them"""
    version: int
    """that was read: another one in force is refused with 409"""
    note: NotRequired[str]
    """why; kept with every version that is published"""


class FlowGraphNodesItemData1Retry1(TypedDict):
    maxAttempts: NotRequired[float | None]
    """Attempts in all, 1 to 10."""
    backoffSeconds: NotRequired[float | None]
    """Pause before the second attempt; it doubles from then on."""
    on: NotRequired[list[str | int] | None]
    """What it is tried again after: `connect`, `timeout`, `overload`, a status (`503`, `5xx`), the name of an error, or `any`. Default: connect, timeout, overload, 408, 425, 429, 5xx."""


class FlowGraphNodesItemData1(TypedDict):
    label: NotRequired[str | None]
    """Shown on the canvas."""
    inputs: NotRequired[dict[str, Any] | None]
    """Values; text may contain `{{ … }}`."""
    credential: NotRequired[str | None]
    """Id of a credential of the organization."""
    disabled: NotRequired[bool | None]
    """A disabled node must not be reachable."""
    retry: NotRequired[FlowGraphNodesItemData1Retry1 | None]
    timeoutSeconds: NotRequired[float | None]
    """Longest time of one attempt, in seconds, from its first entry and through pauses."""
    onError: NotRequired[str | None]
    """`fail` (default), `continue`, or `branch` to the handle `error`."""
    join: NotRequired[str | None]
    """`all` (default) or `any` of the incoming edges."""
    ui: NotRequired[Any]
    """Whatever a canvas keeps with a node: colours, notes. Never read."""


class FlowGraphNodesItem(TypedDict):
    id: str
    """Unique in the flow; expressions read the output as `nodes.<id>`."""
    type: str
    """A type of the node catalogue."""
    parentId: NotRequired[str | None]
    """The `for-each` or `while` node that this node is inside of."""
    data: NotRequired[FlowGraphNodesItemData1 | None]
    position: NotRequired[Any]
    positionAbsolute: NotRequired[Any]
    width: NotRequired[Any]
    height: NotRequired[Any]
    initialWidth: NotRequired[Any]
    initialHeight: NotRequired[Any]
    measured: NotRequired[Any]
    style: NotRequired[Any]
    className: NotRequired[Any]
    zIndex: NotRequired[Any]
    hidden: NotRequired[Any]
    selected: NotRequired[Any]
    dragging: NotRequired[Any]
    resizing: NotRequired[Any]
    draggable: NotRequired[Any]
    selectable: NotRequired[Any]
    connectable: NotRequired[Any]
    deletable: NotRequired[Any]
    focusable: NotRequired[Any]
    dragHandle: NotRequired[Any]
    sourcePosition: NotRequired[Any]
    targetPosition: NotRequired[Any]
    parentNode: NotRequired[Any]
    extent: NotRequired[Any]
    expandParent: NotRequired[Any]
    origin: NotRequired[Any]
    handles: NotRequired[Any]
    ariaLabel: NotRequired[Any]
    ariaRole: NotRequired[Any]
    domAttributes: NotRequired[Any]


class FlowGraphEdgesItem(TypedDict):
    id: NotRequired[str | None]
    source: str
    target: str
    sourceHandle: NotRequired[str | None]
    """The way out of the source; `out` unless stated."""
    type: NotRequired[Any]
    targetHandle: NotRequired[Any]
    data: NotRequired[Any]
    animated: NotRequired[Any]
    hidden: NotRequired[Any]
    selected: NotRequired[Any]
    selectable: NotRequired[Any]
    deletable: NotRequired[Any]
    focusable: NotRequired[Any]
    updatable: NotRequired[Any]
    reconnectable: NotRequired[Any]
    style: NotRequired[Any]
    className: NotRequired[Any]
    zIndex: NotRequired[Any]
    label: NotRequired[Any]
    labelStyle: NotRequired[Any]
    labelShowBg: NotRequired[Any]
    labelBgStyle: NotRequired[Any]
    labelBgPadding: NotRequired[Any]
    labelBgBorderRadius: NotRequired[Any]
    markerStart: NotRequired[Any]
    markerEnd: NotRequired[Any]
    pathOptions: NotRequired[Any]
    interactionWidth: NotRequired[Any]
    ariaLabel: NotRequired[Any]
    ariaRole: NotRequired[Any]
    domAttributes: NotRequired[Any]


class FlowGraphNotesItemPosition(TypedDict):
    x: float
    y: float


class FlowGraphNotesItem(TypedDict):
    id: str
    """Unique among the notes of the flow."""
    text: str
    position: FlowGraphNotesItemPosition
    """Of its upper left corner."""
    width: NotRequired[float]
    height: NotRequired[float]


class FlowGraph(TypedDict):
    nodes: list[FlowGraphNodesItem]
    edges: list[FlowGraphEdgesItem]
    notes: NotRequired[list[FlowGraphNotesItem]]
    """Texts on the canvas, anywhere beside the nodes. Never read by a run."""
    viewport: NotRequired[Any]


class FlowSettingsTool(TypedDict):
    description: str
    """Tells a model what the flow does and when to use it."""
    readOnly: NotRequired[bool]
    """true: it changes nothing, wherever it is called."""


class FlowSettings(TypedDict):
    input: NotRequired[dict[str, Any]]
    """JSON Schema (2020-12) of `trigger.body`: what does not fit is refused before a run is made."""
    tool: NotRequired[FlowSettingsTool]
    """Offers the flow as a tool, to agents and over MCP."""
    onFailure: NotRequired[str]
    """Another flow of the organization, started with `{runId, flowId, error}` as `trigger.body` where a run ends FAILED, CRASHED or TIMED_OUT."""
    requireTests: NotRequired[bool]
    """true: a draft is published only where the flow has stored tests and all of them pass on it; rolling back and `apply` are free."""


class FlowStructureGraphNodesItem(TypedDict):
    id: str
    type: str
    label: NotRequired[str]
    parentId: NotRequired[str]
    """the container that the node is inside of"""


class FlowStructureGraphEdgesItem(TypedDict):
    source: str
    target: str
    sourceHandle: str
    """the way out of the source; out unless stated"""


class FlowStructureGraph(TypedDict):
    nodes: list[FlowStructureGraphNodesItem]
    edges: list[FlowStructureGraphEdgesItem]


class FlowStructure(TypedDict):
    flowId: str
    version: str
    active: bool
    """whether it is the version that triggers use"""
    graph: FlowStructureGraph


class ManagedFlow(TypedDict):
    id: str
    name: str
    slug: str | None
    organizationId: str
    state: Literal["active", "inactive", "draft"]
    """inactive: webhooks and schedules do not start it; draft: it has no published version"""
    version: str | None
    """the version in force"""
    hasDraft: bool
    """there are changes that are not published"""
    revision: int
    """of the draft"""
    managedBy: Literal["apply", "console"]
    """apply: files bring its document, and the editor leaves it alone until it is detached"""
    webhook: Literal["enabled", "disabled", "none"]
    schedules: int
    createdAt: str
    updatedAt: str | None


class FlowVersion(TypedDict):
    version: str
    active: bool
    """this is the version in force"""
    createdAt: str
    author: NotRequired[str]
    """the user who published it"""
    note: NotRequired[str]
    nodes: int
    """how many nodes it has"""


class FlowVersionDetail(FlowVersion):
    graph: FlowGraph
    settings: FlowSettings
    """what the document says beside its graph: input, tool, onFailure, requireTests"""


class FlowDifference(TypedDict):
    what: Literal["node", "edge", "setting"]
    id: str
    """of the node; of an edge `source → target`; of a setting its name, such as input"""
    change: Literal["added", "removed", "changed"]
    text: str
    """in words"""
    label: NotRequired[str]
    """of the node, where it has one beside its id"""
    type: NotRequired[str]
    """of a node that was added or removed"""
    field: NotRequired[str]
    """what of a node changed: type, parentId, a setting such as retry.maxAttempts, or inputs.<name>"""
    before: NotRequired[str]
    """as JSON, shortened; left out where nothing was there"""
    after: NotRequired[str]


FlowDiff = TypedDict(
    "FlowDiff",
    {
        "from": "str",
        "to": "str",
        "runsAlike": "bool",
        "changes": "list[FlowDifference]",
    },
)


class PublishedVersion(TypedDict):
    flowId: str
    version: str
    """in force now"""
    previous: str | None
    """in force before"""
    warnings: list[str]


class FlowDraft(TypedDict):
    flowId: str
    name: str
    managedBy: Literal["apply", "console"]
    """apply: files bring its document, and the editor leaves it alone until it is detached"""
    graph: FlowGraph
    """of the draft, or of the version in force where there is none"""
    settings: FlowSettings
    """what the document says beside its graph: input, tool, onFailure, requireTests"""
    revision: int
    """to be sent with the next change"""
    saved: bool
    """there is a draft of its own"""
    version: str | None
    """the version in force"""
    author: NotRequired[str]
    updatedAt: NotRequired[str]


class DraftSaved(TypedDict):
    flowId: str
    revision: int


class FlowCreated(TypedDict):
    flowId: str
    revision: int
    """of its draft; nothing of it is in force"""
    flows: list[str]
    """all that were made: the flow itself, then those that a template brings for it to run"""


class DraftValidation(TypedDict):
    valid: bool
    errors: list[str]
    warnings: list[str]
    problems: list[Issue]
    """the errors with their places"""


class FlowDeletionRunsExecuting(TypedDict):
    count: int
    becomes: Literal["canceled", "goes on"]


class FlowDeletionRunsQueued(TypedDict):
    count: int
    becomes: Literal["canceled", "goes on"]


class FlowDeletionRunsDelayed(TypedDict):
    count: int
    becomes: Literal["canceled", "goes on"]


class FlowDeletionRunsPaused(TypedDict):
    count: int
    becomes: Literal["canceled", "goes on"]


class FlowDeletionRuns(TypedDict):
    executing: FlowDeletionRunsExecuting
    queued: FlowDeletionRunsQueued
    delayed: FlowDeletionRunsDelayed
    paused: FlowDeletionRunsPaused


class FlowDeletion(TypedDict):
    flowId: str
    runs: FlowDeletionRuns
    schedules: int
    """end with the flow"""
    webhook: bool
    """its address is refused from then on"""


class FlowDeleted(FlowDeletion):
    deletedAt: str


class Schedule(TypedDict):
    id: str
    flowId: str
    organizationId: str
    cron: str
    timezone: str
    data: dict[str, Any]
    """`data` of its runs"""
    state: Literal["running", "paused", "flow-inactive", "flow-draft"]
    """why it starts nothing, where it does not"""
    next: list[str]
    """the next five times; none while it rests"""


class CreateFlowRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    id: NotRequired[str]
    """made from the name where it is left out"""
    name: NotRequired[str]
    """of the template or of the copied flow where it is left out; else required"""
    template: NotRequired[str]
    """begin with this one, its tests and the flows it runs"""
    copyOf: NotRequired[str]
    """begin with the draft and the tests of this flow"""
    graph: NotRequired[FlowGraph]
    """begin with this one; with a single start node unless stated"""
    settings: NotRequired[FlowSettings]


class BacktestChangeOutputItem(TypedDict):
    path: str
    """in the output, for example lines[2].price"""
    before: str
    """as JSON, shortened"""
    after: str


class BacktestChangeError(TypedDict):
    before: NotRequired[str]
    after: NotRequired[str]


class BacktestChangePathItem(TypedDict):
    nodeKey: str
    change: Literal["added", "removed", "handle"]
    """handle: it is left by another way"""
    before: NotRequired[str]
    after: NotRequired[str]


class BacktestChangeCallsItem(TypedDict):
    nodeKey: str
    change: Literal["new", "dropped"]
    """new: it was never made with this input; dropped: it is made no more"""
    input: NotRequired[dict[str, Any]]


class BacktestChange(TypedDict):
    runId: str
    version: str
    """of the flow that the run had"""
    before: TerminalStatus
    after: Literal["COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT", "UNKNOWN"]
    """UNKNOWN: it depends on a call that was never made"""
    output: list[BacktestChangeOutputItem]
    """places in which the output changes, 20 at most"""
    error: NotRequired[BacktestChangeError]
    path: list[BacktestChangePathItem]
    """50 at most"""
    calls: list[BacktestChangeCallsItem]


class BacktestResultSkippedItem(TypedDict):
    runId: str
    why: Literal["too large", "took too long", "values hidden"]


class BacktestResultNodesItem(TypedDict):
    nodeId: str
    added: int
    """runs in which it begins now and did not before"""
    removed: int
    handle: int
    """runs in which it is left by another way"""
    calls: int
    """runs in which it calls what it never did, or calls no more"""


class BacktestResult(TypedDict):
    flowId: str
    runs: int
    """runs that were replayed"""
    changed: int
    unchanged: int
    skipped: list[BacktestResultSkippedItem]
    """100 at most"""
    raced: list[str]
    """runs that come out otherwise in a replay even with their own version, because branches raced; they are compared with that replay. 100 at most"""
    complete: bool
    """false: the time was over before all runs were replayed"""
    nodes: list[BacktestResultNodesItem]
    """nodes whose part changes in some run"""
    changes: list[BacktestChange]
    """the newest 100 runs that change"""
    warnings: list[str]
    """of the validation of the graph"""


class EvaluationError(TypedDict):
    name: str
    message: str
    nodeId: str


class EvaluationNodesItemError(TypedDict):
    name: str
    message: str


class EvaluationNodesItem(TypedDict):
    nodeKey: str
    nodeId: str
    type: str
    status: NodeStatus
    source: Literal["evaluated", "recorded", "unknown"]
    """recorded: an effect as the run has it; unknown: the run has never called it"""
    input: NotRequired[dict[str, Any]]
    output: NotRequired[dict[str, Any]]
    handle: NotRequired[str]
    error: NotRequired[EvaluationNodesItemError]
    changed: bool
    """output, error or handle differ from what the run has recorded"""
    inputChanged: bool
    """a recorded effect is given another input now; its answer may be another one"""
    leftOut: NotRequired[bool]
    """the values of all nodes are too large together; these are left out"""


class Evaluation(TypedDict):
    runId: str
    status: Literal["COMPLETED", "FAILED", "PENDING", "CANCELED"]
    """PENDING: it depends on calls that were never made; CANCELED: it took too long"""
    output: NotRequired[dict[str, Any]]
    error: NotRequired[EvaluationError]
    nodes: list[EvaluationNodesItem]
    total: int
    """nodes that were evaluated; the first 1,000 are in `nodes`"""
    errors: list[str]
    """what keeps the graph from running; then there are no nodes"""


class FlowTestTrigger(TypedDict):
    body: NotRequired[Any]
    headers: NotRequired[dict[str, Any]]
    query: NotRequired[dict[str, Any]]
    method: NotRequired[str]


class FlowTestAnswersValue1Error(TypedDict):
    name: str
    """As `nodes.<id>.error.name` reads it: `HttpTimeout`, `QueryFailed` …"""
    message: str
    status: NotRequired[int]
    """Of an HTTP answer; `retry.on` looks at it."""


FlowTestAnswersValue1 = TypedDict(
    "FlowTestAnswersValue1",
    {
        "$error": "FlowTestAnswersValue1Error",
    },
)


FlowTestAnswersValue2AttemptsItem1 = TypedDict(
    "FlowTestAnswersValue2AttemptsItem1",
    {
        "$error": "FlowTestAnswersValue1Error",
    },
)


FlowTestAnswersValue2 = TypedDict(
    "FlowTestAnswersValue2",
    {
        "$attempts": "list[FlowTestAnswersValue2AttemptsItem1 | dict[str, Any]]",
    },
)


FlowTestAnswersValue3ByInputItemAnswer1 = TypedDict(
    "FlowTestAnswersValue3ByInputItemAnswer1",
    {
        "$error": "FlowTestAnswersValue1Error",
    },
)


class FlowTestAnswersValue3ByInputItem(TypedDict):
    input: dict[str, Any]
    """Inputs that must be exactly so; others may be anything."""
    answer: FlowTestAnswersValue3ByInputItemAnswer1 | dict[str, Any]


FlowTestAnswersValue3 = TypedDict(
    "FlowTestAnswersValue3",
    {
        "$byInput": "list[FlowTestAnswersValue3ByInputItem]",
    },
)


class FlowTestExpectError(TypedDict):
    name: NotRequired[str]
    message: NotRequired[str]
    nodeId: NotRequired[str]
    """The node that failed."""


class FlowTestExpect(TypedDict):
    status: NotRequired[Literal["COMPLETED", "FAILED"]]
    """COMPLETED unless stated."""
    output: NotRequired[dict[str, Any]]
    """The output of the run, exactly."""
    error: NotRequired[FlowTestExpectError]
    """What a FAILED run says of itself; what is left out may be anything."""
    path: NotRequired[list[str]]
    """Every node that began, by id and once each, in the order of the flow; branches beside each other may stand in any order."""
    calls: NotRequired[dict[str, int | list[dict[str, Any]]]]
    """By node id or node key: how often the node was called, or the inputs of each call in order. Of inputs that are listed each named one must be exactly so."""


class FlowTest(TypedDict):
    kind: Literal["FlowTest"]
    id: str
    flowId: str
    """The flow that is tested, from the same files."""
    name: str
    now: NotRequired[str]
    """When the run starts; 2026-01-01T00:00:00Z unless stated. Waits pass at once."""
    trigger: NotRequired[FlowTestTrigger]
    data: NotRequired[dict[str, Any]]
    """`data` of the run."""
    vars: NotRequired[dict[str, Any]]
    """Variables of the organization, as expressions read them."""
    inputs: NotRequired[dict[str, Any]]
    """Overrides of node inputs, keyed `{nodeId}_{inputName}`."""
    answers: NotRequired[dict[str, FlowTestAnswersValue1 | FlowTestAnswersValue2 | FlowTestAnswersValue3 | dict[str, Any]]]
    """By node id, or by node key for one round (`fetch[3]`, which wins): what nodes with effects and approvals answer. Nothing is ever called."""
    expect: FlowTestExpect


class SavedTest(TypedDict):
    document: FlowTest
    yaml: str
    """the same, to be put into a file beside the flow"""
    redacted: list[str]
    """paths of values that were replaced by others of the same form, the first 1,000; kept likewise"""
    kept: list[str]
    sameWay: bool
    """with these values the flow takes the way of the run"""
    warnings: list[str]


class TestText(TypedDict):
    code: Literal["status", "status-error", "output", "error", "path", "path-missing", "path-extra", "path-twice", "path-order", "call-count", "call-inputs", "call", "call-value", "value", "more", "no-answer", "answer-missing", "was-given", "no-fit", "flow", "fault"]
    values: dict[str, str]
    """what the words speak of, by name: node, expected, actual, path …"""


class DraftTestedTestsItemFailuresItem(TypedDict):
    what: Literal["status", "output", "error", "path", "calls", "answer", "flow"]
    message: str
    differences: NotRequired[list[str]]
    """place by place"""
    words: TestText
    """the message, for whoever says it in another language"""
    places: NotRequired[list[TestText]]
    """the differences likewise"""


class DraftTestedTestsItem(TypedDict):
    id: str
    name: str
    passed: bool
    failures: list[DraftTestedTestsItemFailuresItem]


class DraftTested(TypedDict):
    passed: int
    failed: int
    tests: list[DraftTestedTestsItem]


class StoredTest(TypedDict):
    id: str
    flowId: str
    name: str
    author: NotRequired[str]
    updatedAt: str
    document: FlowTest
    """of the kind FlowTest, as `apply` takes it"""


class FlowTemplateCredentialsItem(TypedDict):
    id: str
    type: str


class FlowTemplate(TypedDict):
    id: str
    name: str
    description: str
    nodeTypes: list[str]
    """of its nodes, in the order in which they stand"""
    credentials: list[FlowTemplateCredentialsItem]
    """that its nodes name; choose your own in their place"""
    graph: FlowGraph
    input: NotRequired[dict[str, Any]]
    """JSON Schema of `trigger.body`"""
    yaml: str
    """the documents, as `apply` takes them"""
    test: str
    """the tests, as `flows test` takes them"""
    picture: str
    """SVG"""


class Job(TypedDict):
    id: str
    """starts with job_"""
    organizationId: str
    action: Literal["cancel", "retry", "fork"]
    status: Literal["running", "stopped", "completed"]
    filter: dict[str, Any]
    total: int
    """how many runs it is about"""
    pending: int
    """runs that are left"""
    done: int
    skipped: int
    """runs that had moved on meanwhile"""
    failed: int
    """runs that were refused; `runs` says why"""
    reason: NotRequired[str]
    """why it was stopped, where nobody has stopped it"""
    createdBy: str
    """user id"""
    createdAt: str
    updatedAt: str
    completedAt: NotRequired[str]


class JobRun(TypedDict):
    runId: str
    state: Literal["pending", "done", "skipped", "failed"]
    newRunId: NotRequired[str]
    """the fork"""
    message: NotRequired[str]
    """why there is none"""


JobRequestFilterCreatedAt = TypedDict(
    "JobRequestFilterCreatedAt",
    {
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "period": "NotRequired[str]",
    },
)


class JobRequestFilter(TypedDict):
    flowId: NotRequired[str]
    """only runs of this flow"""
    status: NotRequired[list[RunStatus]]
    """any of these statuses; default: cancel WAITING, EXECUTING and PAUSED runs, retry and fork FAILED, CRASHED and TIMED_OUT ones"""
    tag: NotRequired[list[str]]
    """any of these tags"""
    version: NotRequired[list[str]]
    """any of these versions"""
    createdAt: NotRequired[JobRequestFilterCreatedAt]
    """as the filters of GET /api/runs"""
    triggerSource: NotRequired[list[TriggerSource]]
    """started by any of these"""
    isTest: NotRequired[bool]


JobRequestFork = TypedDict(
    "JobRequestFork",
    {
        "from": "NotRequired[str]",
        "version": "NotRequired[str]",
        "data": "NotRequired[dict[str, Any]]",
        "inputs": "NotRequired[dict[str, Any]]",
        "trigger": "NotRequired[TriggerRequestPayloadTrigger]",
        "outputs": "NotRequired[dict[str, Any]]",
        "tags": "NotRequired[list[str]]",
    },
)


class JobRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    action: Literal["cancel", "retry", "fork"]
    filter: NotRequired[JobRequestFilter]
    """which runs; those that match now, at most 100,000"""
    fork: NotRequired[JobRequestFork]
    """what each fork is asked for with; retry takes `version` and `tags` of it"""


class NodeRecordSizes(TypedDict):
    input: NotRequired[int]
    output: NotRequired[int]
    record: int
    """all that is stored of the node"""


class NodeRecord(TypedDict):
    nodeKey: str
    """the node id, with the round inside containers: fetch[3]"""
    nodeId: str
    type: str
    status: NodeStatus
    startedAt: str
    completedAt: NotRequired[str]
    """where the node has ended"""
    attempts: NotRequired[int]
    """absent while nothing of the node is stored"""
    handle: NotRequired[str]
    """the way out that was taken"""
    sizes: NotRequired[NodeRecordSizes]
    """bytes as JSON; absent while nothing of the node is stored"""


class NodeValuesError(TypedDict):
    name: str
    message: str


class NodeValues(TypedDict):
    nodeKey: str
    """the node id, with the round inside containers: fetch[3]"""
    nodeId: str
    type: str
    status: NodeStatus
    startedAt: str
    completedAt: NotRequired[str]
    """where the node has ended"""
    attempts: NotRequired[int]
    """absent while nothing of the node is stored"""
    handle: NotRequired[str]
    """the way out that was taken"""
    input: NotRequired[dict[str, Any]]
    output: NotRequired[dict[str, Any]]
    error: NotRequired[NodeValuesError]
    log: NotRequired[list[str]]
    valuesHidden: NotRequired[bool]
    """the organization hides input, output, error and log from viewers"""


class RunTrigger(TypedDict):
    triggerSource: TriggerSource
    trigger: NotRequired[dict[str, Any]]
    """body, headers, method and query, as the start node gives them"""
    data: NotRequired[dict[str, Any]]
    """custom data of the trigger"""
    inputs: NotRequired[dict[str, Any]]
    """overrides of node inputs, by {nodeId}_{inputName}"""
    variablesVersion: NotRequired[int]
    """of the organization's variables that the run sees"""
    valuesHidden: NotRequired[bool]
    """the organization hides them from viewers"""


class RunChange(TypedDict):
    runId: str
    flowId: str
    status: RunStatus
    updatedAt: str


class ManagedApproval(TypedDict):
    runId: str
    flowId: str
    flowName: str
    nodeId: str
    nodeKey: str
    """what an answer names: the node id, with the round inside containers: ask[3]"""
    message: NotRequired[str]
    assignees: NotRequired[list[str]]
    """who may answer with a key, beside admins and owners"""
    form: NotRequired[dict[str, Any]]
    """JSON Schema of the answer's data"""
    askedAt: str
    until: NotRequired[str]
    mayAnswer: bool
    """whether the caller may"""
    valuesHidden: NotRequired[bool]
    """the organization hides message and form from viewers"""


class RunCountsMinutesItem(TypedDict):
    minute: str
    counts: dict[str, int]


RunCounts = TypedDict(
    "RunCounts",
    {
        "from": "str",
        "to": "str",
        "complete": "bool",
        "totals": "dict[str, int]",
        "minutes": "list[RunCountsMinutesItem]",
    },
)


class FlowStatisticsRuns(TypedDict):
    ended: int
    failed: int
    """FAILED, CRASHED and TIMED_OUT"""
    errorRate: float | None
    """0 to 1; null where nothing has ended"""
    p50Seconds: float | None
    p95Seconds: float | None


class FlowStatisticsNodesItem(TypedDict):
    nodeId: str
    type: str
    executions: int
    failed: int
    """FAILED, CRASHED and TIMED_OUT"""
    errorRate: float | None
    """0 to 1; null where nothing has ended"""
    p50Seconds: float | None
    p95Seconds: float | None


FlowStatistics = TypedDict(
    "FlowStatistics",
    {
        "flowId": "str",
        "from": "str",
        "to": "str",
        "runs": "FlowStatisticsRuns",
        "nodes": "list[FlowStatisticsNodesItem]",
        "sampledRuns": "int",
    },
)


class Share(TypedDict):
    id: str
    """starts with share_"""
    url: str
    """whoever has it sees the run, without a key"""
    expiresAt: str


class Revoked(TypedDict):
    id: str
    revokedAt: str


class SharedRunEdgesItem(TypedDict):
    source: str
    target: str
    handle: str


class SharedRunNodesItemError(TypedDict):
    name: str
    message: str


class SharedRunNodesItem(TypedDict):
    nodeKey: str
    nodeId: str
    type: str
    status: NodeStatus
    startedAt: str
    completedAt: NotRequired[str]
    input: NotRequired[dict[str, Any]]
    """of the nodes that were chosen"""
    output: NotRequired[dict[str, Any]]
    error: NotRequired[SharedRunNodesItemError]


class SharedRun(TypedDict):
    id: str
    flowId: str
    version: str
    status: RunStatus
    createdAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]
    edges: list[SharedRunEdgesItem]
    nodes: list[SharedRunNodesItem]
    expiresAt: str
    """when the link ends"""


class ShareRequest(TypedDict):
    reveal: NotRequired[list[str]]
    """keys of the nodes whose input, output and error are shown: fetch, or fetch[3] inside a container"""
    expiresIn: NotRequired[str]
    """how long the link works: 30m, 12h, 7d; at most 90d"""


class AgentSession(TypedDict):
    sessionId: str
    externalId: str
    endUserId: NotRequired[str]
    sessionKey: NotRequired[str]
    """given by the flow that chats"""
    turns: int
    createdAt: str
    lastActivityAt: str


class AgentTurnToolCallsItem(TypedDict):
    id: str
    name: str
    input: NotRequired[str]
    """the beginning of its arguments, as JSON"""
    output: NotRequired[str]
    """the beginning of what it answered"""
    isError: NotRequired[bool]


class AgentTurn(TypedDict):
    number: int
    status: Literal["queued", "running", "completed", "failed"]
    message: NotRequired[str]
    reply: NotRequired[str]
    """of a turn that has ended"""
    error: NotRequired[str]
    """the code of what went wrong"""
    toolCalls: NotRequired[list[AgentTurnToolCallsItem]]
    """tools that were called, in their order; at most 100"""
    createdAt: str
    startedAt: NotRequired[str]
    firstOutputAt: NotRequired[str]
    endedAt: NotRequired[str]
    valuesHidden: NotRequired[bool]
    """the organization hides message and reply from viewers"""


class ManagedProcess(TypedDict):
    id: str
    role: str
    """`all`, `api` or `worker`; an `api` process answers requests and executes no runs"""
    host: str
    pid: int
    version: str
    startedAt: str
    heartbeatAt: str
    alive: bool
    """heard of in the last 15 seconds"""
    runs: int
    """how many runs it executes"""
    here: bool
    """the process that answers"""


class ManagedDuty(TypedDict):
    name: str
    intervalSeconds: float
    lastSuccessAt: NotRequired[str]
    failures: int
    """since the last success"""
    lastError: NotRequired[str]
    """the name of the last failure since the last success"""


class DiskCheck(TypedDict):
    check: str
    status: Literal["ok", "warn", "fail"]
    message: str


class DeleteCredentialAnswer(TypedDict):
    id: str
    deleted: Literal[True]


class SetCredentialAnswer(TypedDict):
    id: str
    action: Literal["created", "updated", "unchanged"]


class ListDutiesAnswer(TypedDict):
    processId: str
    data: list[ManagedDuty]


class ResendDeliveriesAnswer(TypedDict):
    resent: float


class BacktestFlowRequest(TypedDict):
    last: NotRequired[int]
    """how many runs, the newest that completed or failed; 200 unless stated"""
    graph: NotRequired[FlowGraph]
    """this one instead of the draft"""


class PutDraftRequest(TypedDict):
    graph: FlowGraph
    settings: NotRequired[FlowSettings]
    """what the document says beside its graph, whole; left out: as it is"""
    revision: int


class EvaluateDraftRequest(TypedDict):
    runId: str
    """the run whose recorded values are used"""
    graph: NotRequired[FlowGraph]
    """this one instead of the draft"""


class RunDraftRequest(TypedDict):
    graph: NotRequired[FlowGraph]
    """this one instead of the draft"""
    runId: NotRequired[str]
    """go on from what this ended run has done, with what it was started with"""
    nodeId: NotRequired[str]
    """begin with this node; what ended before it is copied, not executed again"""
    only: NotRequired[bool]
    """true: nothing behind the node is executed"""
    trigger: NotRequired[TriggerRequestPayloadTrigger]
    """body, headers, method and query, merged onto the start node"""
    data: NotRequired[dict[str, Any]]
    """custom data, echoed in the run's payload"""


class TestDraftRequest(TypedDict):
    tests: NotRequired[list[FlowTest]]
    """those that are stored with the flow where they are left out"""
    graph: NotRequired[FlowGraph]
    """this one instead of the draft"""


class ValidateDraftRequest(TypedDict):
    graph: NotRequired[FlowGraph]
    """this one instead of the draft's"""
    settings: NotRequired[FlowSettings]
    """these instead of the draft's"""


class PublishDraftRequest(TypedDict):
    note: NotRequired[str]
    """why; kept with every version that is published"""
    revision: NotRequired[int]
    """of the draft that is meant; another one is refused with 409"""


class RollBackFlowRequest(TypedDict):
    version: str
    note: NotRequired[str]
    """why; kept with every version that is published"""


class DeleteFlowTestAnswer(TypedDict):
    flowId: str
    id: str


class PutFlowTestRequest(TypedDict):
    document: FlowTest
    """its `id` and `flowId` are those of the address"""


class RemoveMemberAnswer(TypedDict):
    userId: str
    removed: Literal[True]


class ChangeMemberRequest(TypedDict):
    organizationId: NotRequired[str]
    """the organization; may be left out where the caller reaches only one"""
    role: Literal["viewer", "member", "admin", "owner"]


class SaveRunAsTestRequest(TypedDict):
    keep: NotRequired[list[str]]
    """paths of values that may be kept, with all below them: trigger.body.amount, answers.charge, data.lines[].price, or *; secrets never are"""
    id: NotRequired[str]
    """of the test"""
    name: NotRequired[str]


class EndConsoleSessionAnswer(TypedDict):
    id: str
    ended: Literal[True]


class DeleteWebhookAnswer(TypedDict):
    flowId: str
    deleted: Literal[True]
