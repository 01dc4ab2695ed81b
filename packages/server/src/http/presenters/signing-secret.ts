import type { SigningSecret } from "../../operations/events/manage-endpoint.ts";
import type { Answer } from "../route.ts";

export function presentSigningSecret(id: string, { secret, previousUntil }: SigningSecret): Answer {
  return {
    status: 200,
    headers: { "cache-control": "no-store" },
    body: {
      success: true,
      data: { id, secret, ...(previousUntil && { previousUntil: previousUntil.toISOString() }) },
    },
  };
}
