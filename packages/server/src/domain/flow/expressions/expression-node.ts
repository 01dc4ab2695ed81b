/** JSONata's syntax tree as its parser leaves it; the library's own type lacks most of it. */
export interface ExpressionNode {
  readonly type: string;
  readonly value?: unknown;
  readonly steps?: readonly ExpressionNode[];
  readonly lhs?: unknown;
  readonly rhs?: ExpressionNode;
  readonly expression?: ExpressionNode;
  readonly expressions?: readonly ExpressionNode[];
  readonly condition?: ExpressionNode;
  readonly then?: ExpressionNode;
  readonly else?: ExpressionNode;
  readonly procedure?: ExpressionNode;
  readonly arguments?: readonly ExpressionNode[];
  readonly predicate?: readonly ExpressionStage[];
  readonly stages?: readonly ExpressionStage[];
  readonly group?: unknown;
  readonly keepArray?: boolean;
  readonly keepSingletonArray?: boolean;
  readonly consarray?: boolean;
  readonly tuple?: boolean;
  readonly focus?: string;
  readonly index?: string;
}

export interface ExpressionStage {
  readonly type: string;
  readonly expr: ExpressionNode;
}
