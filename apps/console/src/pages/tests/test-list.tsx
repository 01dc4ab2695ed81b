import { type ReactNode, useState } from "react";
import type { DraftTested } from "@millrace/client";
import { useRemoveTest, useStoredTests } from "../../api/flow-tests.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { TestResult } from "./test-result.tsx";

/** The tests of a flow, each with how it came out. */
export function TestList(props: { flowId: string; results: DraftTested | undefined }): ReactNode {
  const { flowId, results } = props;
  const t = useT();
  const tests = useStoredTests(flowId);
  const remove = useRemoveTest(flowId);
  const [wanted, setWanted] = useState<string>();
  return (
    <>
      {tests.error && <ErrorNote error={tests.error} retry={() => void tests.refetch()} />}
      {tests.data?.length === 0 && <p className="muted">{t("tests.none")}</p>}
      {tests.data && tests.data.length > 0 && (
        <DataTable
          label={t("tests.title")}
          items={tests.data}
          keyOf={({ id }) => id}
          columns={[
            { name: t("flows.name"), cell: ({ name }) => name },
            {
              name: t("tests.result"),
              cell: ({ id }) => <TestResult result={results?.tests.find((one) => one.id === id)} />,
            },
            {
              name: t("actions"),
              hidden: true,
              cell: ({ id, name }) =>
                mayAct("admin") && (
                  <button
                    type="button"
                    aria-label={`${t("tests.remove")}: ${name}`}
                    onClick={() => setWanted(id)}
                  >
                    {t("tests.remove")}
                  </button>
                ),
            },
          ]}
        />
      )}
      {wanted !== undefined && (
        <Confirm
          title={t("tests.removeTitle", { test: wanted })}
          text={t("tests.removeText")}
          action={t("tests.remove")}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(wanted, { onSuccess: () => setWanted(undefined) })}
          onClose={() => setWanted(undefined)}
        />
      )}
    </>
  );
}
