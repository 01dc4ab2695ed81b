import { type ReactNode, useEffect, useState } from "react";
import { useWholeList } from "../../../api/manage.ts";
import { useT } from "../../../texts/texts.tsx";
import { Choice, Field } from "../../../ui/field.tsx";
import type { FlowNode } from "../flow.ts";
import { bareInputs, nodeTypeOf } from "../node-types.ts";
import { canRename, renameNode } from "../operations/rename-node.ts";
import { useEditor } from "../use-editor.ts";

interface Props {
  readonly node: FlowNode;
  readonly onChange: (path: readonly (string | number)[], value: unknown) => void;
  readonly isReadOnly: boolean;
}

/** What a node is called, and the credential that it uses. */
export function NodeIdentity({ node, onChange, isReadOnly }: Props): ReactNode {
  const t = useT();
  const needs = nodeTypeOf(node.type)?.credential;
  return (
    <>
      <Field
        label={t("editor.label")}
        value={node.data?.label ?? ""}
        placeholder={node.id}
        readOnly={isReadOnly}
        onChange={(event) => onChange(["data", "label"], event.target.value || undefined)}
      />
      <NodeId node={node} isReadOnly={isReadOnly} />
      {(needs || node.data?.credential) && (
        <CredentialField
          types={needs?.types ?? []}
          isRequired={needs?.required ?? false}
          value={node.data?.credential ?? ""}
          isReadOnly={isReadOnly}
          onChange={(id) => onChange(["data", "credential"], id || undefined)}
        />
      )}
    </>
  );
}

/** Takes effect when it is left: each letter on the way would be an id. */
function NodeId({ node, isReadOnly }: { node: FlowNode; isReadOnly: boolean }): ReactNode {
  const t = useT();
  const change = useEditor((state) => state.change);
  const select = useEditor((state) => state.select);
  const report = useEditor((state) => state.report);
  const flow = useEditor((state) => state.flow);
  const [text, setText] = useState(node.id);
  useEffect(() => setText(node.id), [node.id]);
  const isWrong = text !== node.id && !canRename(flow, node.id, text);
  const rename = () => {
    if (text === node.id || isWrong) return setText(node.id);
    report({ renamed: { from: node.id, to: text } });
    change(renameNode(node.id, text, bareInputs));
    select([text]);
  };
  return (
    <Field
      label={t("editor.id")}
      help={isWrong ? t("editor.idWrong") : t("editor.idHelp", { id: node.id })}
      className="mono"
      value={text}
      readOnly={isReadOnly}
      aria-invalid={isWrong}
      onChange={(event) => setText(event.target.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === "Enter") rename();
      }}
    />
  );
}

interface Credential {
  readonly id: string;
  readonly type: string;
}

function CredentialField(props: {
  types: readonly string[];
  isRequired: boolean;
  value: string;
  isReadOnly: boolean;
  onChange: (id: string) => void;
}): ReactNode {
  const t = useT();
  const { types, isRequired, value, isReadOnly, onChange } = props;
  const credentials = useWholeList<Credential>("/manage/credentials").data ?? [];
  const fitting = credentials.filter(({ type }) => types.includes(type));
  const options = [
    { value: "", text: isRequired ? t("editor.choose") : t("editor.none") },
    ...fitting.map(({ id, type }) => ({ value: id, text: `${id} (${type})` })),
  ];
  if (value !== "" && !fitting.some(({ id }) => id === value)) options.push({ value, text: value });
  return (
    <Choice
      label={t("editor.credential")}
      value={value}
      options={options}
      onChange={(id) => {
        if (!isReadOnly) onChange(id);
      }}
    />
  );
}
