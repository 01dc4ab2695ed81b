import { createHash } from "node:crypto";
import { randomBase62 } from "../../domain/base62.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import type { Db } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import { putWebhook } from "../../storage/webhooks/put-webhook.ts";

const TOKEN_LENGTH = 43;

/** Kept as a hash to compare with and sealed to be shown again. */
export async function makeWebhookToken(
  { db, secrets }: { db: Db; secrets: SecretBox },
  organizationId: string,
  flowId: string,
): Promise<string> {
  const token = randomBase62(TOKEN_LENGTH);
  await putWebhook(db, {
    organizationId,
    flowId,
    tokenHash: createHash("sha256").update(token).digest(),
    tokenCiphertext: secrets.seal(secretPlace(organizationId, "webhook", flowId), token),
  });
  return token;
}
