import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const NOT_SEALED = "This is not a sealed secret.";

/**
 * Encrypts what must be read again: credentials, webhook tokens, signing secrets. The place a secret
 * belongs to is part of the encryption, so a ciphertext copied into another row does not open there.
 */
export class SecretBox {
  readonly #current: { id: string; key: Buffer };
  readonly #known: ReadonlyMap<string, Buffer>;

  constructor(current: Buffer, previous: readonly Buffer[] = []) {
    this.#current = { id: keyId(current), key: current };
    this.#known = new Map([current, ...previous].map((key) => [keyId(key), key]));
  }

  /** `place`: organization, kind and id of the owner, for example `org_demo|credential|cred_crm`. */
  seal(place: string, text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#current.key, iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return [
      "v1",
      this.#current.id,
      iv.toString("base64url"),
      sealed.toString("base64url"),
      cipher.getAuthTag().toString("base64url"),
    ].join(".");
  }

  open(place: string, box: string): string {
    const [format, id, iv, sealed, tag] = box.split(".");
    if (format !== "v1" || !id || !iv || sealed === undefined || !tag) throw new Error(NOT_SEALED);
    const key = this.#known.get(id);
    if (!key) {
      throw new Error(
        `A stored secret was encrypted with key ${id}, which is neither MILLRACE_SECRET_KEY nor in MILLRACE_PREVIOUS_SECRET_KEYS.`,
      );
    }
    const [ivBytes, tagBytes] = [Buffer.from(iv, "base64url"), Buffer.from(tag, "base64url")];
    // Node takes tags of 4 bytes too, and those can be guessed.
    if (ivBytes.length !== IV_BYTES || tagBytes.length !== TAG_BYTES) throw new Error(NOT_SEALED);
    const decipher = createDecipheriv("aes-256-gcm", key, ivBytes, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(tagBytes);
    return Buffer.concat([decipher.update(Buffer.from(sealed, "base64url")), decipher.final()]).toString(
      "utf8",
    );
  }

  /** Equal for equal texts in the same place, telling nothing to whoever lacks the key. */
  fingerprint(place: string, text: string): string {
    return createHmac("sha256", this.#current.key).update(`${place}\0${text}`).digest("base64url");
  }
}

function keyId(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}
