import { secretPlace } from "../../domain/secret-place.ts";
import type { FeedSettings } from "../../storage/events/feed-settings.ts";
import type { SecretBox } from "../../storage/secret-box.ts";

/** The secrets that sign now: the current one first, then the one it replaced while both are valid. */
export function openSigningSecrets(
  secrets: SecretBox,
  { organizationId, endpointId }: { readonly organizationId: string; readonly endpointId: string },
  {
    secretCiphertext,
    previousSecretCiphertext,
  }: Pick<FeedSettings, "secretCiphertext" | "previousSecretCiphertext">,
): string[] {
  const place = secretPlace(organizationId, "event-endpoint", endpointId);
  const sealed =
    previousSecretCiphertext === null ? [secretCiphertext] : [secretCiphertext, previousSecretCiphertext];
  return sealed.map((ciphertext) => secrets.open(place, ciphertext));
}
