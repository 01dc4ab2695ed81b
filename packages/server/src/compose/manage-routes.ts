import type { Route } from "../http/route.ts";
import { addMemberRoute } from "../http/routes/manage/add-member.ts";
import { changeMemberRoute } from "../http/routes/manage/change-member.ts";
import { changeOrganizationRoute } from "../http/routes/manage/change-organization.ts";
import { createKeyRoute } from "../http/routes/manage/create-key.ts";
import { deleteCredentialRoute } from "../http/routes/manage/delete-credential.ts";
import { deleteEventEndpointRoute } from "../http/routes/manage/delete-event-endpoint.ts";
import { deleteWebhookRoute } from "../http/routes/manage/delete-webhook.ts";
import { endSessionRoute } from "../http/routes/manage/end-session.ts";
import { grantCreditsRoute } from "../http/routes/manage/grant-credits.ts";
import { listAuditRoute } from "../http/routes/manage/list-audit.ts";
import { listCredentialsRoute } from "../http/routes/manage/list-credentials.ts";
import { listCreditEntriesRoute } from "../http/routes/manage/list-credit-entries.ts";
import { listDeliveriesRoute } from "../http/routes/manage/list-deliveries.ts";
import { listEventEndpointsRoute } from "../http/routes/manage/list-event-endpoints.ts";
import { listEventsRoute } from "../http/routes/manage/list-events.ts";
import { listKeysRoute } from "../http/routes/manage/list-keys.ts";
import { listMembersRoute } from "../http/routes/manage/list-members.ts";
import { listOrganizationsRoute } from "../http/routes/manage/list-organizations.ts";
import { listSessionsRoute } from "../http/routes/manage/list-sessions.ts";
import { listSignInMethodsRoute } from "../http/routes/manage/list-sign-in-methods.ts";
import { listWebhooksRoute } from "../http/routes/manage/list-webhooks.ts";
import { OPEN_ID_CALLBACK, openIdRoutes } from "../http/routes/manage/open-id.ts";
import { putEventEndpointRoute } from "../http/routes/manage/put-event-endpoint.ts";
import { regenerateWebhookRoute } from "../http/routes/manage/regenerate-webhook.ts";
import { removeMemberRoute } from "../http/routes/manage/remove-member.ts";
import { resendDeliveriesRoute } from "../http/routes/manage/resend-deliveries.ts";
import { revokeKeyRoute } from "../http/routes/manage/revoke-key.ts";
import { rotateEventEndpointSecretRoute } from "../http/routes/manage/rotate-event-endpoint-secret.ts";
import { rotateKeyRoute } from "../http/routes/manage/rotate-key.ts";
import { setCredentialRoute } from "../http/routes/manage/set-credential.ts";
import { showCreditsRoute } from "../http/routes/manage/show-credits.ts";
import { showEventEndpointSecretRoute } from "../http/routes/manage/show-event-endpoint-secret.ts";
import { showEventRoute } from "../http/routes/manage/show-event.ts";
import { signInRoute } from "../http/routes/manage/sign-in.ts";
import {
  enableEventEndpointRoute,
  disableEventEndpointRoute,
} from "../http/routes/manage/switch-event-endpoint.ts";
import { enableWebhookRoute, disableWebhookRoute } from "../http/routes/manage/switch-webhook.ts";
import { testEventEndpointRoute } from "../http/routes/manage/test-event-endpoint.ts";
import { createAddressGuard } from "../upstream/address-guard.ts";
import { createEventSender } from "../upstream/event-sender.ts";
import { OpenIdSignIn } from "../upstream/open-id/sign-in.ts";
import type { Entrance } from "./entrance.ts";
import type { Foundation } from "./foundation.ts";

/** /manage: what people and programs change, beside runs. */
export function composeManageRoutes(
  foundation: Foundation,
  { authenticator, site, provider }: Entrance,
  { webUrl, publicUrl }: { readonly webUrl: () => string; readonly publicUrl: () => string },
): Route[] {
  const { config, pools, ids, secrets, clock, shutdown } = foundation;
  const sender = createEventSender({ guard: createAddressGuard({ allow: config.egressAllow }) });
  shutdown.add("test event sender", () => sender.close());
  const stored = { db: pools.api, pool: pools.api, ids, secrets };
  const context = { ...stored, authenticator, site, sender, webUrl, now: () => clock.now() };
  const openId = provider && new OpenIdSignIn(provider);
  const redirectUri = () => publicUrl() + OPEN_ID_CALLBACK;
  return [
    signInRoute(context),
    listSignInMethodsRoute({ hasOpenId: openId !== undefined }),
    ...(openId ? openIdRoutes({ ...context, openId, redirectUri }) : []),
    listSessionsRoute(context),
    endSessionRoute(context),
    listOrganizationsRoute(context),
    changeOrganizationRoute(context),
    listMembersRoute(context),
    addMemberRoute(context),
    changeMemberRoute(context),
    removeMemberRoute(context),
    listKeysRoute(context),
    createKeyRoute(context),
    rotateKeyRoute(context),
    revokeKeyRoute(context),
    listCredentialsRoute(context),
    setCredentialRoute(context),
    deleteCredentialRoute(context),
    showCreditsRoute(context),
    listCreditEntriesRoute(context),
    grantCreditsRoute(context),
    listWebhooksRoute(context),
    regenerateWebhookRoute(context),
    enableWebhookRoute(context),
    disableWebhookRoute(context),
    deleteWebhookRoute(context),
    listEventEndpointsRoute(context),
    putEventEndpointRoute(context),
    deleteEventEndpointRoute(context),
    enableEventEndpointRoute(context),
    disableEventEndpointRoute(context),
    showEventEndpointSecretRoute(context),
    rotateEventEndpointSecretRoute(context),
    testEventEndpointRoute(context),
    listDeliveriesRoute(context),
    resendDeliveriesRoute(context),
    listEventsRoute(context),
    showEventRoute(context),
    listAuditRoute(context),
  ];
}
