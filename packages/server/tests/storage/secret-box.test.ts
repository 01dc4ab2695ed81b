import { describe, expect, it } from "vitest";
import { SecretBox } from "../../src/storage/secret-box.ts";

const secrets = new SecretBox(Buffer.alloc(32, 7));
const PLACE = "org_a|credential|cred_a";

/** The sealed text with one of its parts cut to so many bytes. */
function cut(part: "iv" | "tag", bytes: number): string {
  const parts = secrets.seal(PLACE, "canary").split(".");
  const at = part === "iv" ? 2 : 4;
  parts[at] = Buffer.from(parts[at]!, "base64url").subarray(0, bytes).toString("base64url");
  return parts.join(".");
}

describe("a sealed secret", () => {
  it("opens in its own place", () => {
    expect(secrets.open(PLACE, secrets.seal(PLACE, "canary"))).toBe("canary");
    expect(secrets.open(PLACE, cut("tag", 16))).toBe("canary");
  });

  it.each([1, 4, 8, 12, 13, 14, 15])("does not open with a tag of %s bytes", (bytes) => {
    expect(() => secrets.open(PLACE, cut("tag", bytes))).toThrow("not a sealed secret");
  });

  it("does not open with a tag that is too long, or another nonce", () => {
    expect(() => secrets.open(PLACE, `${secrets.seal(PLACE, "canary")}AAAA`)).toThrow();
    expect(() => secrets.open(PLACE, cut("iv", 8))).toThrow("not a sealed secret");
  });
});
