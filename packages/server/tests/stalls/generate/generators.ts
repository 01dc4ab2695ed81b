import type * as fc from "fast-check";
import type { Deed, Kind } from "../case.ts";
import { expressionDeeds } from "./expressions.ts";
import { flowDeeds } from "./flows.ts";
import { documentDeeds } from "./documents.ts";
import { formDeeds } from "./forms.ts";
import { headerDeeds } from "./headers.ts";
import { payloadDeeds } from "./payloads.ts";
import { httpDeeds } from "./http.ts";
import { mcpDeeds } from "./mcp.ts";
import { modelDeeds } from "./model.ts";
import { postgresDeeds } from "./postgres.ts";
import { smtpDeeds } from "./smtp.ts";

/** Of the kinds that can be generated. */
export const generators: Readonly<Partial<Record<Kind, fc.Arbitrary<Deed>>>> = {
  expressions: expressionDeeds,
  flows: flowDeeds,
  payloads: payloadDeeds,
  documents: documentDeeds,
  forms: formDeeds,
  headers: headerDeeds,
  http: httpDeeds,
  postgres: postgresDeeds,
  smtp: smtpDeeds,
  mcp: mcpDeeds,
  model: modelDeeds,
};
