import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { requestData } from "../../api/request.ts";
import { type TextKey, useLanguage, useT } from "../../texts/texts.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, Panel, TableFrame } from "../../ui/page.tsx";
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

/** How the service itself does: its processes, what they do beside runs, and its disk. */
export function HealthPage(): ReactNode {
  const t = useT();
  return (
    <Page title={t("nav.health")}>
      <Processes />
      <Duties />
      <Disk />
    </Page>
  );
}

function Processes(): ReactNode {
  const { t, locale } = useLanguage();
  const processes = useHealth<Process>("/manage/processes", EVERY_MS);
  return (
    <Panel title={t("health.processes")}>
      {processes.error && <ErrorNote error={processes.error} />}
      {processes.isPending && <Loading />}
      {processes.data && (
        <TableFrame label={t("health.processList")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("flows.state")}</th>
                <th scope="col">{t("health.host")}</th>
                <th scope="col">{t("members.role")}</th>
                <th scope="col">{t("runs.version")}</th>
                <th scope="col">{t("nav.runs")}</th>
                <th scope="col">{t("node.started")}</th>
                <th scope="col">{t("health.heard")}</th>
              </tr>
            </thead>
            <tbody>
              {processes.data.map((process) => (
                <tr key={process.id}>
                  <td className="row">
                    <Status status={process.alive ? "COMPLETED" : "CRASHED"} compact />
                    {t(process.alive ? "health.alive" : "health.lost")}
                  </td>
                  <td>
                    {process.host} <span className="muted number">{process.pid}</span>
                    {process.here && <span className="muted"> ({t("health.here")})</span>}
                  </td>
                  <td>{process.role}</td>
                  <td>{process.version}</td>
                  <td className="number">{process.runs.toLocaleString(locale)}</td>
                  <td>
                    <Ago value={process.startedAt} />
                  </td>
                  <td>
                    <Ago value={process.heartbeatAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Panel>
  );
}

function Duties(): ReactNode {
  const { t, locale } = useLanguage();
  const duties = useHealth<Duty>("/manage/duties", EVERY_MS);
  return (
    <Panel title={t("health.duties")}>
      {duties.error && <ErrorNote error={duties.error} />}
      {duties.data && (
        <TableFrame label={t("health.dutyList")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("flows.state")}</th>
                <th scope="col">{t("flows.name")}</th>
                <th scope="col">{t("health.every")}</th>
                <th scope="col">{t("health.success")}</th>
                <th scope="col">{t("health.failures")}</th>
              </tr>
            </thead>
            <tbody>
              {duties.data.map((duty) => (
                <tr key={duty.name}>
                  <td className="row">
                    <Status status={duty.failures === 0 ? "COMPLETED" : "FAILED"} compact />
                    {t(duty.failures === 0 ? "health.ok" : "health.fail")}
                  </td>
                  <td className="mono">{duty.name}</td>
                  <td className="number">{duty.intervalSeconds.toLocaleString(locale)} s</td>
                  <td>{duty.lastSuccessAt ? <Ago value={duty.lastSuccessAt} /> : "–"}</td>
                  <td>
                    {duty.failures} {duty.lastError}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Panel>
  );
}

function Disk(): ReactNode {
  const t = useT();
  const findings = useHealth<Finding>("/manage/disk", DISK_EVERY_MS);
  return (
    <Panel title={t("health.disk")}>
      {findings.error && <ErrorNote error={findings.error} />}
      {findings.isPending && <Loading />}
      <ul className="stack">
        {findings.data?.map(({ check, status, message }) => (
          <li key={check + message} className="row">
            <Status status={LOOKS[status]} compact />
            <strong>{t(WORDS[status])}</strong>
            <span>{check}</span>
            <span className="muted">{message}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
