import MiniSearch, { type SearchResult } from "minisearch";
import { searchOptions } from "../search-terms.ts";

const MAX_RESULTS = 12;
const input = document.querySelector<HTMLInputElement>("#query")!;
const list = document.querySelector<HTMLUListElement>("#results")!;
const status = document.querySelector<HTMLParagraphElement>("#found")!;
const root = document.body.dataset["root"] ?? "";

let loading: Promise<MiniSearch> | undefined;

/** Nobody loads the index who does not search. */
function loadIndex(): Promise<MiniSearch> {
  loading ??= fetch(document.body.dataset["index"]!)
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, searchOptions));
  return loading;
}

async function search(): Promise<void> {
  const query = input.value.trim();
  if (query === "") return close();
  const index = await loadIndex();
  // Somebody has typed on meanwhile.
  if (input.value.trim() !== query) return;
  const startedAt = performance.now();
  const exact = index.search(query);
  // A typing mistake costs time to see through, so it is thought of last.
  const results = (exact.length > 0 ? exact : index.search(query, { fuzzy: 0.2 })).slice(0, MAX_RESULTS);
  list.replaceChildren(...results.map(itemOf));
  list.hidden = results.length === 0;
  list.dataset["milliseconds"] = (performance.now() - startedAt).toFixed(2);
  status.textContent = results.length === 0 ? `Nothing found for ${query}` : `${results.length} results`;
}

function itemOf(result: SearchResult): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const place = document.createElement("small");
  link.href = root + String(result["url"]);
  link.textContent = String(result["heading"]);
  const page = String(result["page"]);
  place.textContent = [page === result["heading"] ? "" : page, String(result["start"])]
    .filter(Boolean)
    .join(" · ");
  link.append(place);
  item.append(link);
  return item;
}

function close(): void {
  list.hidden = true;
  list.replaceChildren();
  status.textContent = "";
}

function move(by: 1 | -1): void {
  const links = [...list.querySelectorAll("a")];
  const place = links.indexOf(document.activeElement as HTMLAnchorElement) + by;
  if (place < 0) input.focus();
  else links[Math.min(place, links.length - 1)]?.focus();
}

input.addEventListener("focus", () => void loadIndex());
input.addEventListener("input", () => void search());
document.addEventListener("keydown", (event) => {
  const inSearch = event.target instanceof Node && input.parentElement!.contains(event.target);
  if (event.key === "Escape" && inSearch) {
    input.focus();
    close();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && inSearch && !list.hidden) {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter" && event.target === input) {
    list.querySelector("a")?.click();
  } else if (event.key === "/" && !isTyping(event.target)) {
    event.preventDefault();
    input.focus();
  }
});
document.addEventListener("click", ({ target }) => {
  if (target instanceof Node && !input.parentElement!.contains(target)) close();
});

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
