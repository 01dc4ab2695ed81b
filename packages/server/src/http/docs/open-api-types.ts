/** Of a JSON Schema, what the page reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}
export type Content = Readonly<Record<string, Media>>;

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

interface RequestBody {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response>>;
  readonly "x-required-role"?: string;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a reference stands for; what stands for itself is handed back. */
export function resolve<Part extends { readonly $ref?: string | undefined }>(
  document: OpenApi,
  part: Part,
): Part {
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref ?? "") ?? [];
  if (kind === undefined || name === undefined) return part;
  return (document.components?.[kind]?.[decodeURIComponent(name)] as Part | undefined) ?? part;
}

/** The name of what is referred to. */
export function nameOf({ $ref }: { readonly $ref?: string | undefined }): string | undefined {
  return $ref?.split("/").at(-1);
}
