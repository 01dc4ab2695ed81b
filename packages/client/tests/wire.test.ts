import { readdirSync, readFileSync } from "node:fs";
import type { Agent } from "@millrace/contract/agents";
import type { ValidateAnswer } from "@millrace/contract/auth";
import type { ChatStreamEvent } from "@millrace/contract/chat";
import type { ComparedNode, RunComparison } from "@millrace/contract/compare";
import type { Issue } from "@millrace/contract/envelope";
import type { Flow } from "@millrace/contract/flows";
import type { ForkRequest } from "@millrace/contract/fork";
import type { QueueItem, QueueItemCanceledAnswer, QueueItemDetail } from "@millrace/contract/queue";
import type { RunStatus, TaskIdentifier, TerminalStatus, TriggerSource } from "@millrace/contract/run-status";
import type { FlowRun, Run, RunDetail, RunNode, RunStreamEvent } from "@millrace/contract/runs";
import type {
  ResumeBody,
  RunCanceledAnswer,
  RunCreatedAnswer,
  RunQueuedAnswer,
  RunResumedAnswer,
  TriggerRequest,
} from "@millrace/contract/trigger";
import { describe, expect, expectTypeOf, it } from "vitest";
import { renderWireTypes } from "../../../scripts/generate-wire-types.ts";
import type * as wire from "../src/wire.ts";

describe("the client's wire types", () => {
  it("are what the generator writes today", () => {
    const source = new URL("../src/", import.meta.url);
    const files = ["wire.ts", ...readdirSync(new URL("wire/", source)).map((file) => `wire/${file}`)];
    const committed = files.map((file) => [file, readFileSync(new URL(file, source), "utf8")]);
    expect(Object.fromEntries(committed), "run: npm run wire").toEqual(renderWireTypes());
  });

  // Checked by the compiler, not at run time.
  it("are the contract's types", () => {
    expectTypeOf<wire.RunStatus>().toEqualTypeOf<RunStatus>();
    expectTypeOf<wire.TerminalStatus>().toEqualTypeOf<TerminalStatus>();
    expectTypeOf<wire.TaskIdentifier>().toEqualTypeOf<TaskIdentifier>();
    expectTypeOf<wire.TriggerSource>().toEqualTypeOf<TriggerSource>();
    expectTypeOf<wire.Issue>().toEqualTypeOf<Issue>();
    expectTypeOf<wire.Identity>().toEqualTypeOf<ValidateAnswer["data"]>();
    expectTypeOf<wire.Flow>().toEqualTypeOf<Flow>();
    expectTypeOf<wire.Agent>().toEqualTypeOf<Agent>();
    expectTypeOf<wire.FlowRun>().toEqualTypeOf<FlowRun>();
    expectTypeOf<wire.Run>().toEqualTypeOf<Run>();
    expectTypeOf<wire.RunDetail>().toEqualTypeOf<RunDetail>();
    expectTypeOf<wire.RunNode>().toEqualTypeOf<RunNode>();
    expectTypeOf<wire.RunStreamEvent>().toEqualTypeOf<RunStreamEvent>();
    expectTypeOf<wire.RunCreated>().toEqualTypeOf<RunCreatedAnswer["data"]>();
    expectTypeOf<wire.RunQueued>().toEqualTypeOf<RunQueuedAnswer["data"]>();
    expectTypeOf<wire.RunCanceled>().toEqualTypeOf<RunCanceledAnswer["data"]>();
    expectTypeOf<wire.RunResumed>().toEqualTypeOf<RunResumedAnswer["data"]>();
    expectTypeOf<wire.QueueItem>().toEqualTypeOf<QueueItem>();
    expectTypeOf<wire.QueueItemDetail>().toEqualTypeOf<QueueItemDetail>();
    expectTypeOf<wire.QueueItemCanceled>().toEqualTypeOf<QueueItemCanceledAnswer["data"]>();
    expectTypeOf<wire.ChatStreamEvent>().toEqualTypeOf<ChatStreamEvent>();
    expectTypeOf<wire.TriggerRequest>().toEqualTypeOf<TriggerRequest>();
    expectTypeOf<wire.ComparedNode>().toEqualTypeOf<ComparedNode>();
    expectTypeOf<wire.RunComparison>().toEqualTypeOf<RunComparison>();
    expectTypeOf<wire.ForkRequest>().toEqualTypeOf<ForkRequest>();
    expectTypeOf<wire.ResumeRequest>().toEqualTypeOf<ResumeBody>();
  });
});
