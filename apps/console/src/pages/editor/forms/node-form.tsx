import { type ReactNode, useCallback } from "react";
import { useT } from "../../../texts/texts.tsx";
import { type FlowNode, labelOf } from "../flow.ts";
import { bareInputs, nodeTypeOf } from "../node-types.ts";
import { setField } from "../operations/set-field.ts";
import { useNodeWords } from "../node-words.tsx";
import { useEditor } from "../use-editor.ts";
import { InputField } from "./input-field.tsx";
import { NodeIdentity } from "./node-identity.tsx";
import { NodeSettings } from "./node-settings.tsx";
import { NodeWays } from "./node-ways.tsx";
import { TargetField } from "./target-field.tsx";
import styles from "./forms.module.css";

/** Everything of one node: made from its type's own description. */
export function NodeForm({ node }: { node: FlowNode }): ReactNode {
  const t = useT();
  const say = useNodeWords();
  const change = useEditor((state) => state.change);
  const isReadOnly = useEditor((state) => state.isReadOnly || state.faults.length > 0);
  const type = nodeTypeOf(node.type);
  const { id } = node;
  const onChange = useCallback(
    (path: readonly (string | number)[], value: unknown) =>
      change(setField(id, path, value), `${id} ${path.join(" ")}`),
    [change, id],
  );
  const bare = bareInputs(node.type);
  const inputs = node.data?.inputs ?? {};
  const named = Object.entries(type?.inputs.properties ?? {});
  // What a newer service knows, or nobody: it is shown rather than hidden.
  const others = Object.keys(inputs).filter((name) => !named.some(([known]) => known === name));
  return (
    <form
      className={styles.form}
      aria-label={t("editor.formOf", { node: labelOf(node) })}
      onSubmit={(event) => event.preventDefault()}
    >
      <Problems nodeId={id} />
      {type && <p className="muted small">{say(type.summary)}</p>}
      <NodeIdentity node={node} onChange={onChange} isReadOnly={isReadOnly} />
      {named.map(([name, schema]) =>
        type?.target?.input === name ? (
          <TargetField
            key={name}
            kind={type.target.kind}
            name={name}
            help={schema.description && say(schema.description)}
            value={inputs[name]}
            isReadOnly={isReadOnly}
            onChange={(value) => onChange(["data", "inputs", name], value)}
          />
        ) : (
          <InputField
            key={name}
            nodeId={id}
            nodeType={node.type}
            path={["data", "inputs", name]}
            name={name}
            schema={schema}
            value={inputs[name]}
            isRequired={type?.inputs.required?.includes(name) ?? false}
            isBareExpression={bare.includes(name)}
            isReadOnly={isReadOnly}
            onChange={onChange}
          />
        ),
      )}
      {others.map((name) => (
        <InputField
          key={name}
          nodeId={id}
          nodeType={node.type}
          path={["data", "inputs", name]}
          name={name}
          schema={{}}
          value={inputs[name]}
          isReadOnly={isReadOnly}
          onChange={onChange}
        />
      ))}
      {type && <p className="muted small">{t("editor.output", { output: say(type.output) })}</p>}
      <NodeWays node={node} isReadOnly={isReadOnly} />
      <NodeSettings node={node} onChange={onChange} isReadOnly={isReadOnly} />
    </form>
  );
}

function Problems({ nodeId }: { nodeId: string }): ReactNode {
  const errors = useEditor((state) => state.errors);
  const own = errors.filter((error) => error.nodeId === nodeId);
  if (own.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {own.map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}
