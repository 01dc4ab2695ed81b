import { timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../../storage/secret-box.ts";

/** Links that answer one approval without a key. Nothing is stored: the link carries its own proof. */
export class ResumeLinks {
  readonly #secrets: SecretBox;
  readonly #webUrl: () => string;

  constructor(secrets: SecretBox, webUrl: () => string) {
    this.#secrets = secrets;
    this.#webUrl = webUrl;
  }

  make(organizationId: string, runId: string, nodeKey: string): string {
    const right = Buffer.from(JSON.stringify([organizationId, nodeKey])).toString("base64url");
    return `${this.#webUrl()}/app/resume/${runId}/${right}.${this.#proof(runId, right)}`;
  }

  read(runId: string, token: string): { organizationId: string; nodeKey: string } | undefined {
    const [right = "", proof = ""] = token.split(".");
    const [given, expected] = [Buffer.from(proof), Buffer.from(this.#proof(runId, right))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const [organizationId, nodeKey] = JSON.parse(Buffer.from(right, "base64url").toString("utf8")) as [
      string,
      string,
    ];
    return { organizationId, nodeKey };
  }

  #proof(runId: string, right: string): string {
    return this.#secrets.fingerprint(`resume|${runId}`, right);
  }
}
