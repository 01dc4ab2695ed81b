import type { ReactNode } from "react";
import { useT } from "../../../texts/texts.tsx";
import { isObject } from "../document.ts";
import type { InputSchema } from "../node-types.ts";
import { useNodeWords } from "../node-words.tsx";
import type { InputComponent, InputProps } from "./input-props.ts";
import styles from "./forms.module.css";

/** A list of things with fields of their own, such as the cases of a `switch`. */
export function ListField(props: InputProps & { Input: InputComponent; item: InputSchema }): ReactNode {
  const t = useT();
  const say = useNodeWords();
  const { name, value, schema, path, item, isReadOnly, isRequired, nodeType, Input, onChange } = props;
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <fieldset className={styles.group}>
      <legend>
        {name}
        {isRequired && <span aria-hidden="true"> *</span>}
      </legend>
      {schema.description && <p className={styles.help}>{say(schema.description)}</p>}
      {list.map((one, index) => (
        // Items have no identity but their place.
        // eslint-disable-next-line react/no-array-index-key
        <fieldset key={index} className={styles.group}>
          <legend>{`${name} ${index + 1}`}</legend>
          {Object.entries(item.properties ?? {}).map(([field, fieldSchema]) => (
            <Input
              {...props}
              key={field}
              name={field}
              label={`${field} ${index + 1}`}
              nodeType={`${nodeType}.${name}`}
              schema={fieldSchema}
              value={isObject(one) ? one[field] : undefined}
              path={[...path, index, field]}
              isRequired={item.required?.includes(field) ?? false}
            />
          ))}
          {!isReadOnly && (
            <button type="button" onClick={() => onChange([...path, index], undefined)}>
              {t("editor.removeRow", { name: `${name} ${index + 1}` })}
            </button>
          )}
        </fieldset>
      ))}
      {!isReadOnly && (
        <button type="button" onClick={() => onChange([...path, list.length], {})}>
          {t("editor.addRow", { field: name })}
        </button>
      )}
    </fieldset>
  );
}
