import { signInMethodsAnswer } from "@millrace/contract/manage/sessions";
import { defineRoute } from "../../route.ts";

/** For the sign-in page, which asks before anybody is known. */
export const listSignInMethodsRoute = ({ hasOpenId }: { readonly hasOpenId: boolean }) =>
  defineRoute({
    method: "GET",
    path: "/manage/sessions/methods",
    name: "listSignInMethods",
    summary: "List how one can sign in to the console here",
    tag: "Manage",
    access: "open",
    answers: { 200: { description: "The methods", schema: signInMethodsAnswer } },
    errors: [],
    handle: () => ({
      status: 200,
      body: { success: true, data: { methods: ["link", "key", ...(hasOpenId ? ["oidc"] : [])] } },
    }),
  });
