import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { requestData } from "../../api/request.ts";
import { type TextKey, useLanguage, useT } from "../../texts/texts.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, Panel } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { Ago } from "../../ui/time.tsx";

interface Process {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  readonly heartbeatAt: string;
  readonly alive: boolean;
  readonly runs: number;
  readonly here: boolean;
}

interface Duty {
  readonly name: string;
  readonly intervalSeconds: number;
  readonly lastSuccessAt?: string;
  readonly failures: number;
  readonly lastError?: string;
}

interface Finding {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
}

const CHECKS = {
  disk: "health.checkDisk",
  "disk budget": "health.checkGrowth",
  transactions: "health.checkTransactions",
} as const satisfies Record<string, TextKey>;
const EVERY_MS = 5_000;
const DISK_EVERY_MS = 60_000;
const LOOKS = { ok: "COMPLETED", warn: "PAUSED", fail: "FAILED" } as const;
const WORDS: Readonly<Record<Finding["status"], TextKey>> = {
  ok: "health.ok",
  warn: "health.warn",
  fail: "health.fail",
};

function useHealth<Item>(path: string, everyMs: number) {
  return useQuery({
    queryKey: [path],
    queryFn: async ({ signal }) => (await requestData<{ data: readonly Item[] }>(path, { signal })).data,
    refetchInterval: everyMs,
  });
}

const useProcesses = () => useHealth<Process>("/manage/processes", EVERY_MS);
const useDuties = () => useHealth<Duty>("/manage/duties", EVERY_MS);
const useFindings = () => useHealth<Finding>("/manage/disk", DISK_EVERY_MS);

/** How the service itself does: its processes, what they do beside runs, and its disk. */
export function HealthPage(): ReactNode {
  const t = useT();
  return (
    <Page title={t("nav.health")}>
      <Summary />
      <Processes />
      <Disk />
      <Duties />
    </Page>
  );
}

/** One sentence for whoever was woken up: whether anything here is wrong at all. */
function Summary(): ReactNode {
  const t = useT();
  const processes = useProcesses().data;
  const duties = useDuties().data;
  const findings = useFindings().data;
  if (!processes || !duties || !findings) return null;
  const count =
    processes.filter(({ alive }) => !alive).length +
    duties.filter(({ failures }) => failures > 0).length +
    findings.filter(({ status }) => status !== "ok").length;
  return (
    <p role="status">
      <Status
        status={count === 0 ? "COMPLETED" : "FAILED"}
        words={count === 0 ? t("health.allGood") : `${t("health.warn")}: ${count}`}
      />
    </p>
  );
}

function Processes(): ReactNode {
  const { t, locale } = useLanguage();
  const processes = useProcesses();
  return (
    <Panel title={t("health.processes")}>
      {processes.error && <ErrorNote error={processes.error} />}
      {processes.isPending && <Loading />}
      {processes.data && (
        <DataTable
          label={t("health.processList")}
          items={processes.data}
          keyOf={({ id }) => id}
          columns={[
            {
              name: t("flows.state"),
              cell: ({ alive }) => (
                <Status
                  status={alive ? "COMPLETED" : "CRASHED"}
                  words={t(alive ? "health.alive" : "health.lost")}
                />
              ),
            },
            {
              name: t("health.host"),
              title: true,
              cell: ({ host, pid, here }) => (
                <span>
                  {host} <span className="muted number">{pid}</span>
                  {here && <span className="muted"> ({t("health.here")})</span>}
                </span>
              ),
            },
            { name: t("members.role"), cell: ({ role }) => role },
            { name: t("runs.version"), cell: ({ version }) => version },
            {
              name: t("nav.runs"),
              className: "number",
              cell: ({ runs }) => runs.toLocaleString(locale),
            },
            { name: t("node.started"), cell: ({ startedAt }) => <Ago value={startedAt} /> },
            { name: t("health.heard"), cell: ({ heartbeatAt }) => <Ago value={heartbeatAt} /> },
          ]}
        />
      )}
    </Panel>
  );
}

/** What fails is seen at once; what does not is there for whoever wants to know. */
function Duties(): ReactNode {
  const t = useT();
  const duties = useDuties();
  const failing = duties.data?.filter(({ failures }) => failures > 0) ?? [];
  const healthy = duties.data?.filter(({ failures }) => failures === 0) ?? [];
  return (
    <Panel title={t("health.duties")}>
      {duties.error && <ErrorNote error={duties.error} />}
      {duties.isPending && <Loading />}
      {failing.length > 0 && <DutyTable label={t("health.fail")} duties={failing} />}
      {healthy.length > 0 && (
        <details>
          <summary>
            {t("health.ok")}: {healthy.length}
          </summary>
          <DutyTable label={t("health.dutyList")} duties={healthy} />
        </details>
      )}
    </Panel>
  );
}

function DutyTable({ label, duties }: { label: string; duties: readonly Duty[] }): ReactNode {
  const { t, locale } = useLanguage();
  return (
    <DataTable
      label={label}
      items={duties}
      keyOf={({ name }) => name}
      columns={[
        {
          name: t("flows.state"),
          cell: ({ failures }) => (
            <Status
              status={failures === 0 ? "COMPLETED" : "FAILED"}
              words={t(failures === 0 ? "health.ok" : "health.fail")}
            />
          ),
        },
        { name: t("flows.name"), title: true, className: "mono", cell: ({ name }) => name },
        {
          name: t("health.every"),
          className: "number",
          cell: ({ intervalSeconds }) => `${intervalSeconds.toLocaleString(locale)} s`,
        },
        {
          name: t("health.success"),
          cell: ({ lastSuccessAt }) => lastSuccessAt && <Ago value={lastSuccessAt} />,
        },
        {
          name: t("health.failures"),
          cell: ({ failures, lastError }) =>
            failures > 0 && `${failures.toLocaleString(locale)} ${lastError ?? ""}`,
        },
      ]}
    />
  );
}

function Disk(): ReactNode {
  const t = useT();
  const findings = useFindings();
  return (
    <Panel title={t("health.disk")}>
      {findings.error && <ErrorNote error={findings.error} />}
      {findings.isPending && <Loading />}
      <ul className="stack">
        {findings.data?.map(({ check, status, message }) => (
          <li key={check + message} className="row">
            <Status status={LOOKS[status]} words={t(WORDS[status])} />
            <span>{check in CHECKS ? t(CHECKS[check as keyof typeof CHECKS]) : check}</span>
            <span className="muted">{message}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
