import type { ErrorEntry } from "./errors/entry.ts";
import { accessErrors } from "./errors/access.ts";
import { flowErrors } from "./errors/flows.ts";
import { manageErrors } from "./errors/manage.ts";
import { requestErrors } from "./errors/requests.ts";
import { runErrors } from "./errors/runs.ts";
import { serviceErrors } from "./errors/service.ts";

export type { ErrorEntry };

/** Every error the service answers with. The name is the stable `code` for programs. */
export const errorCatalogue = {
  ...accessErrors,
  ...requestErrors,
  ...flowErrors,
  ...runErrors,
  ...manageErrors,
  ...serviceErrors,
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
