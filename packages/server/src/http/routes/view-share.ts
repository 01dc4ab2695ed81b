import { sharedRunAnswer, sharedRunQuery } from "@millrace/contract/manage/shares";
import { openShare, viewShare } from "../../operations/shares/view-share.ts";
import { asksForJson } from "../accept.ts";
import { presentShare } from "../presenters/share.ts";
import { type ContextOf, defineRoute } from "../route.ts";
import { localeOfBrowser } from "../pages/language.ts";
import { shareFile, sharePage } from "../pages/share-page.ts";

/** The address is a secret, and what it shows changes: nobody on the way keeps it, passes it on or lists it. */
const PRIVATE = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex" };

export const viewShareRoute = (context: ContextOf<typeof openShare> & ContextOf<typeof viewShare>) =>
  defineRoute({
    method: "GET",
    path: "/app/shared/{shareId}/{token}",
    name: "viewShare",
    summary:
      "See a run through a link that was made for it: a page, or JSON where Accept names application/json",
    tag: "Runs",
    access: "token",
    isPage: true,
    query: sharedRunQuery,
    answers: { 200: { description: "The run, with the values that were chosen", schema: sharedRunAnswer } },
    errors: ["link_not_found", "too_many_requests"],
    async handle({ params, actor, raw, reply, limits }) {
      void reply.headers(PRIVATE);
      const share = await openShare(context, params.shareId!, params.token!);
      if (!share) throw limits.refuseGuess(raw, reply, "link_not_found");
      limits.takeForWebhookCaller(share.organizationId, raw, reply);
      limits.takeForWebhook(share.organizationId, raw, reply);
      const shown = presentShare(await viewShare(context, actor, share));
      // Links are opened with whatever mail programs add to them: only this is read, and nothing is refused.
      if ((raw.query as { download?: unknown }).download === "json") return shareFile(shown);
      if (!asksForJson(raw.headers.accept))
        return sharePage(shown, localeOfBrowser(raw.headers["accept-language"]));
      return { status: 200, body: { success: true, data: shown } };
    },
  });
