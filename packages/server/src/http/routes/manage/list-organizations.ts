import { organizationsAnswer, organizationsQuery } from "@millrace/contract/manage/organizations";
import { listOwnOrganizations } from "../../../operations/organizations/manage-organizations.ts";
import { presentPage } from "../../presenters/list.ts";
import { presentOrganization } from "../../presenters/organization.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listOrganizationsRoute = (context: ContextOf<typeof listOwnOrganizations>) =>
  defineRoute({
    method: "GET",
    path: "/manage/organizations",
    name: "listOrganizations",
    summary: "List the organizations the caller reaches, with their role and settings",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: organizationsQuery,
    answers: { 200: { description: "A page of organizations", schema: organizationsAnswer } },
    errors: [],
    async handle({ principal, query }) {
      const page = await listOwnOrganizations(context, principal, query);
      return { status: 200, body: presentPage(page, presentOrganization) };
    },
  });
