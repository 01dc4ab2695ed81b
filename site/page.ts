import type { Rendered } from "./markdown.ts";

/** One page of the site, before it is put into its frame. */
export interface Page extends Rendered {
  /** Where it stands below the site, `guides/order.html`. */
  readonly path: string;
  readonly group: string;
  /** In the list of contents; the title unless stated. */
  readonly label?: string;
  /** Reached by links and the search alone. */
  readonly unlisted?: boolean;
}
