import type { IdMaker } from "../../domain/ids.ts";
import type { Db } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import type { ResolvedSecrets } from "./resolve-secrets.ts";

/** What putting one document needs; `now` is the time of the transaction. */
export interface ApplyContext {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly ids: IdMaker;
  readonly now: Date;
  readonly resolved: ResolvedSecrets;
  /** Kept with every version that is published. */
  readonly author: string | undefined;
  readonly note: string | undefined;
}
