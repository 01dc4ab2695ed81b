import { type ValidateAnswer, validateAnswer } from "@millrace/contract/auth";
import { defineRoute } from "../route.ts";

export const validateKeyRoute = defineRoute({
  method: "GET",
  path: "/api/auth/validate",
  name: "validateKey",
  summary: "Validate the API key or console session and return its user and session",
  tag: "Authentication",
  access: "key",
  answers: { 200: { description: "The key is valid", schema: validateAnswer } },
  errors: ["user_disabled", "organization_suspended"],
  handle({ principal }) {
    const { id, email, name } = principal.user;
    const body: ValidateAnswer = {
      success: true,
      data: {
        authenticated: true,
        user: { id, email, name },
        session: {
          id: principal.sessionId ?? `api-key-${principal.keyId}`,
          expiresAt: principal.expiresAt.toISOString(),
          activeOrganizationId: null,
        },
      },
    };
    return { status: 200, body };
  },
});
