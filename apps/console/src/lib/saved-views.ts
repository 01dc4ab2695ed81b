import { runsSearch, type RunsSearch } from "../search.ts";
import { currentOrganization } from "./session.ts";

export interface RunsView {
  readonly name: string;
  readonly search: RunsSearch;
}

const MAX_VIEWS = 30;
const key = () => `millrace.views.${currentOrganization()}`;

/** Whatever an older release left behind is read as an address would be: what makes no sense is left out. */
export function readViews(): readonly RunsView[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key()) ?? "[]") as { name: unknown; search: object }[];
    return kept.map(({ name, search }) => ({ name: String(name), search: runsSearch({ ...search }) }));
  } catch {
    return [];
  }
}

export function storeViews(views: readonly RunsView[]): void {
  localStorage.setItem(key(), JSON.stringify(views.slice(-MAX_VIEWS)));
}
