/** A field of a node's form. */
export interface FieldPlace {
  readonly nodeId: string;
  /** In the node, such as `["data", "inputs", "url"]`. */
  readonly path: readonly (string | number)[];
  /** `expression` is JSONata as it stands; `template` and `json` hold it in `{{ }}`. */
  readonly language: "expression" | "template" | "json" | "javascript" | "sql" | "text";
}
