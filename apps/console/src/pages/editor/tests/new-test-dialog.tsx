import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import type { FlowTest } from "@millrace/client";
import { testDraft, useStoredTests, useStoreTest } from "../../../api/flow-tests.ts";
import { useT } from "../../../texts/texts.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Choice, Field } from "../../../ui/field.tsx";
import { JsonField, parseJson } from "../../../ui/json-field.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { useBody } from "../../../ui/use-body.tsx";
import { TestResult } from "../../tests/test-result.tsx";
import { isObject } from "../document.ts";
import { labelOf } from "../flow.ts";
import { nodeTypeOf } from "../node-types.ts";
import { useEditor } from "../use-editor.ts";
import { useNodeWords } from "../node-words.tsx";
import { answeredNodes, newTest } from "./new-test.ts";
import { useSettled } from "./use-settled.ts";

const STATUSES = ["COMPLETED", "FAILED"] as const;

/** A test from nothing: what starts the run, what its effects and approvals answer, what should come out. */
export function NewTestDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const say = useNodeWords();
  const flowId = useEditor((state) => state.flowId);
  const { graph, input } = useEditor((state) => state.flow);
  const stored = useStoredTests(flowId).data;
  const store = useStoreTest();
  const answered = useMemo(() => answeredNodes(graph), [graph]);
  const body = useBody(input);
  const [name, setName] = useState("");
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [status, setStatus] = useState<(typeof STATUSES)[number]>("COMPLETED");
  const [output, setOutput] = useState("");

  const answers = Object.entries(texts).map(([id, text]) => [id, parseJson(text)] as const);
  const expected = parseJson(output);
  const isWritten =
    body.ok &&
    [...answers.map(([, answer]) => answer), expected].every(({ ok, value }) => ok && isRecord(value));
  const document = newTest(
    {
      flowId,
      name: name.trim() || t("tests.title"),
      body: body.value,
      answers: Object.fromEntries(answers.map(([id, { value }]) => [id, value])),
      status,
      output: expected.value,
    },
    (stored ?? []).map(({ id }) => id),
  );
  const tried = useTried(document, isWritten);
  return (
    <Dialog
      title={t("tests.add")}
      wide
      onClose={onClose}
      footer={
        <button
          type="button"
          className="primary"
          disabled={!isWritten || name.trim() === "" || !stored || store.isPending}
          onClick={() => store.mutate({ document }, { onSuccess: onClose })}
        >
          {t("saveTest.store")}
        </button>
      }
    >
      <p className="muted">{t("tests.addText")}</p>
      <Field
        label={t("saveTest.name")}
        maxLength={200}
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {body.field}
      {answered.map((node) => (
        <JsonField
          key={node.id}
          label={t("tests.answer", { node: labelOf(node) })}
          rows={3}
          placeholder={say(nodeTypeOf(node.type)?.output ?? "")}
          text={texts[node.id] ?? ""}
          onChange={(text) => setTexts({ ...texts, [node.id]: text })}
        />
      ))}
      <Choice
        label={t("tests.expectStatus")}
        value={status}
        options={STATUSES.map((value) => ({ value, text: t(`status.${value}`) }))}
        onChange={(chosen) => setStatus(STATUSES.find((one) => one === chosen) ?? "COMPLETED")}
      />
      <JsonField label={t("tests.expectOutput")} rows={4} text={output} onChange={setOutput} />
      {tried.data && <TestResult result={tried.data.tests[0]} />}
      {(store.error ?? tried.error) && <ErrorNote error={store.error ?? tried.error} />}
    </Dialog>
  );
}

/** How it comes out on the draft, once nobody types. */
function useTried(document: FlowTest, isWritten: boolean) {
  const { flowId } = document;
  const graph = useEditor((state) => state.flow.graph);
  const { value: text, change } = useSettled(isWritten ? JSON.stringify(document) : "");
  return useQuery({
    queryKey: ["flow", flowId, "tests", "tried", change],
    queryFn: ({ signal }) => testDraft(flowId, graph, signal, [JSON.parse(text) as FlowTest]),
    enabled: text !== "",
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
}

/** Answers and outputs are objects. */
function isRecord(value: unknown): boolean {
  return value === undefined || isObject(value);
}
