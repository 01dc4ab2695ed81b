import type { ReactNode } from "react";
import type { InputSchema } from "../node-types.ts";

export interface InputProps {
  readonly nodeId: string;
  readonly nodeType: string;
  readonly path: readonly (string | number)[];
  readonly name: string;
  readonly schema: InputSchema;
  readonly value: unknown;
  readonly isRequired?: boolean;
  readonly isBareExpression?: boolean;
  readonly isReadOnly: boolean;
  readonly hideLabel?: boolean;
  readonly label?: string;
  readonly onChange: (path: readonly (string | number)[], value: unknown) => void;
}

/** The field itself, for fields that hold others. */
export type InputComponent = (props: InputProps) => ReactNode;
