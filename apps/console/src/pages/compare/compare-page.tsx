import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useT } from "../../texts/texts.tsx";
import { Field } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { RunComparison } from "./run-comparison.tsx";
import { VersionComparison } from "./version-comparison.tsx";
import styles from "./compare-page.module.css";

/** Two runs, or two versions of a flow, on one graph. */
export function ComparePage(): ReactNode {
  const t = useT();
  const { a, b, flow } = useSearch({ from: "/shell/compare" });
  return (
    <Page title={t("compare.title")}>
      <Chooser key={`${flow} ${a} ${b}`} a={a} b={b} flow={flow} />
      {flow !== undefined && a !== undefined && b !== undefined && (
        <VersionComparison flowId={flow} from={a} to={b} />
      )}
      {flow === undefined && a !== undefined && b !== undefined && <RunComparison a={a} b={b} />}
    </Page>
  );
}

interface ChooserProps {
  readonly a: string | undefined;
  readonly b: string | undefined;
  readonly flow: string | undefined;
}

function Chooser({ a = "", b = "", flow }: ChooserProps): ReactNode {
  const t = useT();
  const navigate = useNavigate();
  const [sides, setSides] = useState({ a, b });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({
      to: "/compare",
      search: { ...(flow !== undefined && { flow }), a: sides.a.trim(), b: sides.b.trim() },
    });
  };
  return (
    <form className={styles.chooser} onSubmit={submit}>
      {(["a", "b"] as const).map((side) => (
        <Field
          key={side}
          label={`${t(flow === undefined ? "runs.run" : "runs.version")} ${side.toUpperCase()}`}
          className="mono"
          required
          placeholder={flow === undefined ? "run_…" : "20260101.1"}
          value={sides[side]}
          onChange={(event) => setSides({ ...sides, [side]: event.target.value })}
        />
      ))}
      <button type="submit" className="primary">
        {t("run.compare")}
      </button>
    </form>
  );
}
