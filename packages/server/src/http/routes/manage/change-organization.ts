import { changeOrganizationBody, organizationAnswer } from "@millrace/contract/manage/organizations";
import { changeOwnOrganization } from "../../../operations/organizations/manage-organizations.ts";
import { presentOrganization } from "../../presenters/organization.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const changeOrganizationRoute = (context: ContextOf<typeof changeOwnOrganization>) =>
  defineRoute({
    method: "PATCH",
    path: "/manage/organizations/{organizationId}",
    name: "changeOrganization",
    summary: "Change the name, limits and settings of an organization; what is left out stays",
    tag: "Manage",
    access: "key",
    role: "owner",
    body: changeOrganizationBody,
    answers: { 200: { description: "The organization", schema: organizationAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, actor, params, body }) {
      const changed = await changeOwnOrganization(context, principal, actor, params.organizationId!, body);
      return { status: 200, body: { success: true, data: presentOrganization(changed) } };
    },
  });
