import type { ReactNode } from "react";
import { useAgents } from "../../../api/agents.ts";
import { useFlows } from "../../../api/flows.ts";
import { useT } from "../../../texts/texts.tsx";
import { Choice } from "../../../ui/field.tsx";

/** The flow or the agent that a node calls, chosen by name. */
export function TargetField(props: {
  kind: "flow" | "agent";
  name: string;
  help: string | undefined;
  value: unknown;
  isReadOnly: boolean;
  onChange: (id: string | undefined) => void;
}): ReactNode {
  return props.kind === "flow" ? <FlowTarget {...props} /> : <AgentTarget {...props} />;
}

type Props = Parameters<typeof TargetField>[0];

function FlowTarget(props: Props): ReactNode {
  return <Target {...props} known={useFlows().data ?? []} />;
}

function AgentTarget(props: Props): ReactNode {
  return <Target {...props} known={useAgents().data ?? []} />;
}

function Target(props: Props & { known: readonly { id: string; name: string }[] }): ReactNode {
  const t = useT();
  const { name, help, known, isReadOnly, onChange } = props;
  const value = typeof props.value === "string" ? props.value : "";
  const options = [
    { value: "", text: t("editor.choose") },
    ...known.map(({ id, name }) => ({ value: id, text: `${name} (${id})` })),
  ];
  if (value !== "" && !known.some(({ id }) => id === value)) options.push({ value, text: value });
  return (
    <div>
      <Choice
        label={name}
        value={value}
        options={options}
        onChange={(id) => {
          if (!isReadOnly) onChange(id || undefined);
        }}
      />
      {help && <p className="muted small">{help}</p>}
    </div>
  );
}
