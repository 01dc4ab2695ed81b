# Written by `npm run wire` from the routes of the service; do not edit.
"""Everything under /manage: a method for each route, under the name that it has in OpenAPI."""

from __future__ import annotations

from datetime import datetime
from typing import AsyncIterator, Literal, Sequence

from .._call import NO_OPTIONS, Call, CallOptions
from .._events import OrganizationEvent
from .._http11 import path_of
from ..types import (
    AddMemberRequest,
    AgentSession,
    AgentTurn,
    AuditEntry,
    BacktestFlowRequest,
    BacktestResult,
    ChangeMemberRequest,
    ChangeOrganizationRequest,
    ConsoleSession,
    CreateFlowRequest,
    CreateKeyRequest,
    CreatedKey,
    CreditEntry,
    Credits,
    DeleteCredentialAnswer,
    DeleteFlowTestAnswer,
    DeleteWebhookAnswer,
    Delivery,
    DiskCheck,
    DocumentsRequest,
    DocumentsResult,
    DraftSaved,
    DraftTested,
    DraftValidation,
    EndConsoleSessionAnswer,
    EndpointTest,
    EvaluateDraftRequest,
    Evaluation,
    EventDetail,
    EventEndpoint,
    FlowCreated,
    FlowDeleted,
    FlowDeletion,
    FlowDiff,
    FlowDraft,
    FlowStatistics,
    FlowStructure,
    FlowTemplate,
    FlowVersion,
    FlowVersionDetail,
    GrantCreditsRequest,
    Job,
    JobRequest,
    JobRun,
    ListDutiesAnswer,
    ManagedApproval,
    ManagedCredential,
    ManagedEvent,
    ManagedFlow,
    ManagedKey,
    ManagedProcess,
    ManagedWebhook,
    Member,
    NodeRecord,
    NodeValues,
    Organization,
    PublishDraftRequest,
    PublishedVersion,
    PutDraftRequest,
    PutEndpointRequest,
    PutFlowTestRequest,
    RemoveMemberAnswer,
    ResendDeliveriesAnswer,
    ResendRequest,
    Revoked,
    RollBackFlowRequest,
    RotateKeyRequest,
    RotateSecretRequest,
    RotatedKey,
    RunCounts,
    RunCreated,
    RunDraftAnswer,
    RunDraftAnswer2,
    RunDraftRequest,
    RunQueued,
    RunTrigger,
    SaveRunAsTestRequest,
    SavedTest,
    Schedule,
    SetCredentialAnswer,
    SetCredentialRequest,
    SetVariablesRequest,
    Share,
    ShareRequest,
    SigningSecret,
    StoredTest,
    TestDraftRequest,
    ValidateDraftRequest,
    VariableVersion,
    Variables,
)
from .organization import follow_organization
from .paging import AsyncPager
from .transport import AsyncTransport


class AsyncManage:
    """What is around the runs: documents, versions, keys, members, credentials, jobs, who changed what.

    Most of it needs an admin's key. `organization_id` may be left out where the key reaches one organization.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list_agent_sessions(
        self,
        agent_id: str,
        *,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[AgentSession]:
        """List the chat sessions of an agent, newest first. Needs the role `viewer`."""
        query = {"page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, path_of("/manage/agents", agent_id, "sessions"), query, options)

    def get_transcript(
        self,
        agent_id: str,
        session_id: str,
        *,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[AgentTurn]:
        """Get what was said in a chat session, oldest first. Needs the role `viewer`."""
        query = {"page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, path_of("/manage/agents", agent_id, "sessions", session_id), query, options)

    def list_approvals(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[ManagedApproval]:
        """List what runs of an organization ask people right now, the newest question first. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/approvals", query, options)

    def list_audit(
        self,
        *,
        organization_id: str | None = None,
        action: str | None = None,
        target: str | None = None,
        user_id: str | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[AuditEntry]:
        """List who changed what, newest first. Needs the role `admin`."""
        query = {"organizationId": organization_id, "filter[action]": action, "filter[target]": target, "filter[userId]": user_id, "filter[from]": from_, "filter[to]": to, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/audit", query, options)

    def list_credentials(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[ManagedCredential]:
        """List credentials, never their secrets. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/credentials", query, options)

    async def delete_credential(
        self,
        credential_id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> DeleteCredentialAnswer:
        """Delete a credential; nodes that use it fail from now on. Needs the role `admin`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("DELETE", path_of("/manage/credentials", credential_id), query), options)

    async def set_credential(
        self,
        credential_id: str,
        body: SetCredentialRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> SetCredentialAnswer:
        """Create a credential, or replace it whole. Needs the role `admin`."""
        return await self._transport.data(Call("PUT", path_of("/manage/credentials", credential_id), body=body), options)

    async def show_credits(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Credits:
        """Show the credits of an organization. Needs the role `viewer`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("GET", "/manage/credits", query), options)

    def list_credit_entries(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[CreditEntry]:
        """List the ledger of credits, newest first. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/credits/entries", query, options)

    async def grant_credits(
        self,
        body: GrantCreditsRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Credits:
        """Add credits; a negative amount takes them away. Needs the role `owner`."""
        return await self._transport.data(Call("POST", "/manage/credits/entries", body=body), options)

    async def examine_disk(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Sequence[DiskCheck]:
        """Get what the doctor says of disk, growth and old transactions. Needs the role `owner`."""
        return (await self._transport.data(Call("GET", "/manage/disk"), options))["data"]

    async def export_documents(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> str:
        """Get all documents of an organization as YAML, without secrets. Needs the role `viewer`."""
        query = {"organizationId": organization_id}
        return await self._transport.text(Call("GET", "/manage/documents", query), options)

    async def apply_documents(
        self,
        body: DocumentsRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> DocumentsResult:
        """Put documents into the service, all or none of them. Needs the role `admin`."""
        return await self._transport.data(Call("POST", "/manage/documents", body=body), options)

    async def plan_documents(
        self,
        body: DocumentsRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> DocumentsResult:
        """Say what would become of documents, with every fault and its file and line; nothing is changed. Needs the role `admin`."""
        return await self._transport.data(Call("POST", "/manage/documents/plan", body=body), options)

    async def list_duties(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ListDutiesAnswer:
        """List the background duties of the process that answers. Needs the role `owner`."""
        return await self._transport.data(Call("GET", "/manage/duties"), options)

    def list_event_endpoints(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[EventEndpoint]:
        """List where events are sent to, and how that goes. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/event-endpoints", query, options)

    async def delete_event_endpoint(
        self,
        endpoint_id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> DeleteCredentialAnswer:
        """Delete an event endpoint and what waits to be sent to it. Needs the role `admin`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("DELETE", path_of("/manage/event-endpoints", endpoint_id), query), options)

    async def put_event_endpoint(
        self,
        endpoint_id: str,
        body: PutEndpointRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> EventEndpoint:
        """Create an event endpoint, or change its address and events. Needs the role `admin`."""
        return await self._transport.data(Call("PUT", path_of("/manage/event-endpoints", endpoint_id), body=body), options)

    def list_deliveries(
        self,
        endpoint_id: str,
        *,
        organization_id: str | None = None,
        state: Literal["delivered", "retrying", "failed"] | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[Delivery]:
        """List what was sent to an endpoint, newest event first. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "filter[state]": state, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, path_of("/manage/event-endpoints", endpoint_id, "deliveries"), query, options)

    async def resend_deliveries(
        self,
        endpoint_id: str,
        body: ResendRequest | None = None,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> ResendDeliveriesAnswer:
        """Send one event, or those of a time, to an endpoint again, with the same ids. Needs the role `member`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("POST", path_of("/manage/event-endpoints", endpoint_id, "deliveries", "resend"), query, body=body or {}), options)

    async def disable_event_endpoint(
        self,
        endpoint_id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> EventEndpoint:
        """Send no events to an endpoint. Needs the role `admin`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("POST", path_of("/manage/event-endpoints", endpoint_id, "disable"), query), options)

    async def enable_event_endpoint(
        self,
        endpoint_id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> EventEndpoint:
        """Send events to an endpoint again, from now on. Needs the role `admin`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("POST", path_of("/manage/event-endpoints", endpoint_id, "enable"), query), options)

    async def rotate_event_endpoint_secret(
        self,
        endpoint_id: str,
        body: RotateSecretRequest | None = None,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> SigningSecret:
        """Give an endpoint a new signing secret; the old one signs too for a while. Needs the role `admin`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("POST", path_of("/manage/event-endpoints", endpoint_id, "rotate-secret"), query, body=body or {}), options)

    async def show_event_endpoint_secret(
        self,
        endpoint_id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> SigningSecret:
        """Show the secret that signs the events of an endpoint. Needs the role `admin`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("GET", path_of("/manage/event-endpoints", endpoint_id, "secret"), query), options)

    async def test_event_endpoint(
        self,
        endpoint_id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> EndpointTest:
        """Send a test event from the service, and say what came of it. Needs the role `admin`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("POST", path_of("/manage/event-endpoints", endpoint_id, "test"), query), options)

    def list_events(
        self,
        *,
        organization_id: str | None = None,
        type: str | None = None,
        from_: datetime | str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[ManagedEvent]:
        """List events of an organization, newest first; a page may be short and yet have a next one. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "filter[type]": type, "filter[from]": from_, "page[size]": page_size, "page[after]": after}
        return AsyncPager(self._transport, "/manage/events", query, options)

    async def show_event(
        self,
        event_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> EventDetail:
        """Get an event as it is sent, and what became of it at each endpoint. Needs the role `member`."""
        return await self._transport.data(Call("GET", path_of("/manage/events", event_id)), options)

    def list_managed_flows(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[ManagedFlow]:
        """List the flows of an organization with their state, newest first. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/flows", query, options)

    async def create_flow(
        self,
        body: CreateFlowRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> FlowCreated:
        """Make a flow that is nothing but a draft: from a template, as a copy, or from nothing. Needs the role `admin`."""
        return await self._transport.data(Call("POST", "/manage/flows", body=body or {}), options)

    async def delete_flow(
        self,
        flow_id: str,
        *,
        runs: Literal["cancel", "keep"] | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> FlowDeleted:
        """Delete a flow; its waiting and paused runs are cancelled unless runs=keep, those that execute go on. Needs the role `admin`."""
        query = {"runs": runs}
        return await self._transport.data(Call("DELETE", path_of("/manage/flows", flow_id), query), options)

    async def activate_flow(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ManagedFlow:
        """Let webhooks and schedules start a flow. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "activate")), options)

    async def backtest_flow(
        self,
        flow_id: str,
        body: BacktestFlowRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> BacktestResult:
        """Replay recorded runs with the draft of a flow, or a graph in its place, and say what changes. Needs the role `member`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "backtest"), body=body or {}), options)

    async def deactivate_flow(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ManagedFlow:
        """Keep webhooks and schedules from starting a flow; the API still can. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "deactivate")), options)

    async def preview_flow_deletion(
        self,
        flow_id: str,
        *,
        runs: Literal["cancel", "keep"] | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> FlowDeletion:
        """Say what deleting a flow means for its runs, schedules and webhook. Needs the role `viewer`."""
        query = {"runs": runs}
        return await self._transport.data(Call("GET", path_of("/manage/flows", flow_id, "deletion"), query), options)

    async def detach_flow(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ManagedFlow:
        """Let the console keep the document of a flow, until the next apply of it. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "detach")), options)

    async def get_draft(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> FlowDraft:
        """Get the draft of a flow, or the version in force where there is none. Needs the role `viewer`."""
        return await self._transport.data(Call("GET", path_of("/manage/flows", flow_id, "draft")), options)

    async def put_draft(
        self,
        flow_id: str,
        body: PutDraftRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> DraftSaved:
        """Save the draft of a flow on top of the revision that was read. Needs the role `admin`."""
        return await self._transport.data(Call("PUT", path_of("/manage/flows", flow_id, "draft"), body=body), options)

    async def evaluate_draft(
        self,
        flow_id: str,
        body: EvaluateDraftRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Evaluation:
        """Evaluate the draft of a flow, or a graph in its place, on the values of a recorded run. Needs the role `member`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "draft", "evaluate"), body=body), options)

    async def run_draft(
        self,
        flow_id: str,
        body: RunDraftRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> RunDraftAnswer | RunDraftAnswer2:
        """Execute the draft of a flow as a test run, effects included: whole, from a node on, or a node alone. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "draft", "run"), body=body or {}), options)

    async def test_draft(
        self,
        flow_id: str,
        body: TestDraftRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> DraftTested:
        """Run tests on the draft of a flow, or on a graph in its place. Needs the role `member`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "draft", "test"), body=body or {}), options)

    async def validate_draft(
        self,
        flow_id: str,
        body: ValidateDraftRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> DraftValidation:
        """Say whether the draft of a flow, or a graph in its place, would run. Needs the role `viewer`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "draft", "validate"), body=body or {}), options)

    async def get_flow_graph(
        self,
        flow_id: str,
        *,
        version: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> FlowStructure:
        """How the nodes of a version of a flow are connected, without their inputs. Needs the role `viewer`."""
        query = {"version": version}
        return await self._transport.data(Call("GET", path_of("/manage/flows", flow_id, "graph"), query), options)

    async def publish_draft(
        self,
        flow_id: str,
        body: PublishDraftRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> PublishedVersion:
        """Put the draft of a flow in force. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "publish"), body=body or {}), options)

    async def roll_back_flow(
        self,
        flow_id: str,
        body: RollBackFlowRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> PublishedVersion:
        """Put an earlier version of a flow in force again. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "rollback"), body=body), options)

    async def pause_schedule(
        self,
        flow_id: str,
        schedule_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Schedule:
        """Pause a schedule: it starts nothing until it is resumed. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "schedules", schedule_id, "pause")), options)

    async def resume_schedule(
        self,
        flow_id: str,
        schedule_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Schedule:
        """Resume a schedule from its next time on. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "schedules", schedule_id, "resume")), options)

    async def run_schedule(
        self,
        flow_id: str,
        schedule_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> RunCreated | RunQueued:
        """Start a run as the schedule would, now. Needs the role `member`."""
        return await self._transport.data(Call("POST", path_of("/manage/flows", flow_id, "schedules", schedule_id, "run")), options)

    async def get_flow_statistics(
        self,
        flow_id: str,
        *,
        created_from: datetime | str | None = None,
        created_to: datetime | str | None = None,
        period: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> FlowStatistics:
        """Get p50, p95 and error rates of a flow and its nodes, over the last day or another time up to 31. Needs the role `viewer`."""
        query = {"filter[createdAt][from]": created_from, "filter[createdAt][to]": created_to, "filter[createdAt][period]": period}
        return await self._transport.data(Call("GET", path_of("/manage/flows", flow_id, "statistics"), query), options)

    def list_flow_tests(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[StoredTest]:
        """List the tests that are stored with a flow. Needs the role `member`."""
        return AsyncPager(self._transport, path_of("/manage/flows", flow_id, "tests"), {}, options)

    async def delete_flow_test(
        self,
        flow_id: str,
        test_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> DeleteFlowTestAnswer:
        """Remove a test that is stored with a flow. Needs the role `admin`."""
        return await self._transport.data(Call("DELETE", path_of("/manage/flows", flow_id, "tests", test_id)), options)

    async def put_flow_test(
        self,
        flow_id: str,
        test_id: str,
        body: PutFlowTestRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> StoredTest:
        """Store a test with its flow, in the place of one with the same id. Needs the role `admin`."""
        return await self._transport.data(Call("PUT", path_of("/manage/flows", flow_id, "tests", test_id), body=body), options)

    def list_flow_versions(
        self,
        flow_id: str,
        *,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[FlowVersion]:
        """List the versions of a flow with author, time and note, newest first. Needs the role `viewer`."""
        query = {"page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, path_of("/manage/flows", flow_id, "versions"), query, options)

    async def get_flow_version(
        self,
        flow_id: str,
        version: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> FlowVersionDetail:
        """Get a version of a flow with its graph and settings. Needs the role `viewer`."""
        return await self._transport.data(Call("GET", path_of("/manage/flows", flow_id, "versions", version)), options)

    async def diff_flow_versions(
        self,
        flow_id: str,
        version: str,
        other: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> FlowDiff:
        """Say in words what changed from one version to another; either may be `draft`. Needs the role `viewer`."""
        return await self._transport.data(Call("GET", path_of("/manage/flows", flow_id, "versions", version, "diff", other)), options)

    def list_jobs(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[Job]:
        """List jobs over many runs, newest first. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/jobs", query, options)

    async def start_job(
        self,
        body: JobRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Job:
        """Cancel, retry or fork all runs that match a filter now; the job goes on whatever happens to a process. Needs the role `member`."""
        return await self._transport.data(Call("POST", "/manage/jobs", body=body), options)

    async def get_job(
        self,
        job_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Job:
        """Get a job with its progress. Needs the role `viewer`."""
        return await self._transport.data(Call("GET", path_of("/manage/jobs", job_id)), options)

    async def resume_job(
        self,
        job_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Job:
        """Let a stopped job go on with the runs that are left. Needs the role `member`."""
        return await self._transport.data(Call("POST", path_of("/manage/jobs", job_id, "resume")), options)

    def list_job_runs(
        self,
        job_id: str,
        *,
        state: Literal["pending", "done", "skipped", "failed"] | None = None,
        after: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[JobRun]:
        """List what became of the runs of a job: the fork of each, or why there is none. Needs the role `viewer`."""
        query = {"state": state, "after": after}
        return AsyncPager(self._transport, path_of("/manage/jobs", job_id, "runs"), query, options)

    async def stop_job(
        self,
        job_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Job:
        """Stop a job: what it has done stays done, and it can be resumed. Needs the role `member`."""
        return await self._transport.data(Call("POST", path_of("/manage/jobs", job_id, "stop")), options)

    def list_keys(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[ManagedKey]:
        """List the API keys of an organization, newest first. Needs the role `admin`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/keys", query, options)

    async def create_key(
        self,
        body: CreateKeyRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> CreatedKey:
        """Create an API key and show it once. Needs the role `admin`."""
        return await self._transport.data(Call("POST", "/manage/keys", body=body), options)

    async def revoke_key(
        self,
        key_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Revoked:
        """Revoke a key; it and its sessions stop working everywhere within five seconds. Needs the role `admin`."""
        return await self._transport.data(Call("DELETE", path_of("/manage/keys", key_id)), options)

    async def rotate_key(
        self,
        key_id: str,
        body: RotateKeyRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> RotatedKey:
        """Replace a key; the old one keeps working for a while. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/keys", key_id, "rotate"), body=body or {}), options)

    def list_members(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[Member]:
        """List the members of an organization. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/members", query, options)

    async def add_member(
        self,
        body: AddMemberRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Member:
        """Make somebody a member of an organization. Needs the role `owner`."""
        return await self._transport.data(Call("POST", "/manage/members", body=body), options)

    async def remove_member(
        self,
        user_id: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> RemoveMemberAnswer:
        """Remove a member; keys and sessions for the organization end with the membership. Needs the role `owner`."""
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("DELETE", path_of("/manage/members", user_id), query), options)

    async def change_member(
        self,
        user_id: str,
        body: ChangeMemberRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Member:
        """Change the role of a member. Needs the role `owner`."""
        return await self._transport.data(Call("PATCH", path_of("/manage/members", user_id), body=body), options)

    def list_organizations(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[Organization]:
        """List the organizations the caller reaches, with their role and settings. Needs the role `viewer`."""
        query = {"page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/organizations", query, options)

    async def change_organization(
        self,
        organization_id: str,
        body: ChangeOrganizationRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Organization:
        """Change the name, limits and settings of an organization; what is left out stays. Needs the role `owner`."""
        return await self._transport.data(Call("PATCH", path_of("/manage/organizations", organization_id), body=body or {}), options)

    async def list_processes(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Sequence[ManagedProcess]:
        """List the processes of the service. Needs the role `owner`."""
        return (await self._transport.data(Call("GET", "/manage/processes"), options))["data"]

    def list_node_records(
        self,
        run_id: str,
        *,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        container: str | None = None,
        round: int | None = None,
        status: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[NodeRecord]:
        """List what the nodes of a run did and do, without values; inside containers round by round. Needs the role `viewer`."""
        query = {"page[size]": page_size, "page[after]": after, "page[before]": before, "container": container, "filter[round]": round, "filter[status]": status}
        return AsyncPager(self._transport, path_of("/manage/runs", run_id, "nodes"), query, options)

    async def get_node_values(
        self,
        run_id: str,
        node_key: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> NodeValues:
        """Get one node of a run with its values. Needs the role `viewer`."""
        return await self._transport.data(Call("GET", path_of("/manage/runs", run_id, "nodes", node_key)), options)

    async def share_run(
        self,
        run_id: str,
        body: ShareRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Share:
        """Make a link that shows a run: structure, times and statuses, and the values of the nodes you choose. Needs the role `member`."""
        return await self._transport.data(Call("POST", path_of("/manage/runs", run_id, "share"), body=body or {}), options)

    async def revoke_share(
        self,
        run_id: str,
        share_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Revoked:
        """End a link that shows a run. Needs the role `member`."""
        return await self._transport.data(Call("DELETE", path_of("/manage/runs", run_id, "share", share_id)), options)

    async def save_run_as_test(
        self,
        run_id: str,
        body: SaveRunAsTestRequest | None = None,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> SavedTest:
        """Make a test of its flow out of a run, with the values that may be kept. Needs the role `member`."""
        return await self._transport.data(Call("POST", path_of("/manage/runs", run_id, "test"), body=body or {}), options)

    async def get_run_trigger(
        self,
        run_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> RunTrigger:
        """Get what a run was started with: trigger, data and inputs. Needs the role `viewer`."""
        return await self._transport.data(Call("GET", path_of("/manage/runs", run_id, "trigger")), options)

    async def count_runs(
        self,
        *,
        organization_id: str | None = None,
        flow_id: str | None = None,
        created_from: datetime | str | None = None,
        created_to: datetime | str | None = None,
        period: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> RunCounts:
        """Count runs by status and minute of creation, over the last hour or another time up to a day. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "filter[flowId]": flow_id, "filter[createdAt][from]": created_from, "filter[createdAt][to]": created_to, "filter[createdAt][period]": period}
        return await self._transport.data(Call("GET", "/manage/runs/counts", query), options)

    def stream_runs(
        self,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncIterator[OrganizationEvent]:
        """Follow all runs of an organization as Server-Sent Events. Needs the role `viewer`."""
        query = {"organizationId": organization_id}
        return follow_organization(self._transport, "/manage/runs/stream", query, options)

    def list_schedules(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[Schedule]:
        """List the schedules of an organization, each with its next five times. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/schedules", query, options)

    def list_console_sessions(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[ConsoleSession]:
        """List who is signed in to the console, newest first. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/sessions", query, options)

    async def end_console_session(
        self,
        id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> EndConsoleSessionAnswer:
        """End a session of one's own or, for owners, of a member; the own one signs out. Needs the role `viewer`."""
        return await self._transport.data(Call("DELETE", path_of("/manage/sessions", id)), options)

    def list_templates(
        self,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[FlowTemplate]:
        """List flows to begin with, each with its tests and a picture. Needs the role `viewer`."""
        return AsyncPager(self._transport, "/manage/templates", {}, options)

    async def get_variables(
        self,
        *,
        organization_id: str | None = None,
        version: int | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Variables:
        """Get the variables of an organization, which expressions read as vars. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "version": version}
        return await self._transport.data(Call("GET", "/manage/variables", query), options)

    async def set_variables(
        self,
        body: SetVariablesRequest,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> Variables:
        """Set the variables of an organization, all of them, on top of the version that was read. Needs the role `admin`."""
        return await self._transport.data(Call("PUT", "/manage/variables", body=body), options)

    def list_variable_versions(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[VariableVersion]:
        """List the versions of the variables of an organization, newest first. Needs the role `viewer`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/variables/versions", query, options)

    def list_webhooks(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        before: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncPager[ManagedWebhook]:
        """List the inbound webhooks of an organization with their addresses. Needs the role `admin`."""
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after, "page[before]": before}
        return AsyncPager(self._transport, "/manage/webhooks", query, options)

    async def delete_webhook(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> DeleteWebhookAnswer:
        """Delete the webhook of a flow; applying its document makes a new one. Needs the role `admin`."""
        return await self._transport.data(Call("DELETE", path_of("/manage/webhooks", flow_id)), options)

    async def disable_webhook(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ManagedWebhook:
        """Refuse starts by the webhook of a flow, and keep its address. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/webhooks", flow_id, "disable")), options)

    async def enable_webhook(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ManagedWebhook:
        """Let the webhook of a flow start it. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/webhooks", flow_id, "enable")), options)

    async def regenerate_webhook(
        self,
        flow_id: str,
        *,
        options: CallOptions = NO_OPTIONS,
    ) -> ManagedWebhook:
        """Give the webhook of a flow a new address; the old one is refused at once. Needs the role `admin`."""
        return await self._transport.data(Call("POST", path_of("/manage/webhooks", flow_id, "regenerate")), options)
