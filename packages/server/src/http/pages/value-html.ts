import { escapeHtml } from "../escape-html.ts";

/** What of values still fits on a page; each takes its part of it. */
export interface Room {
  characters: number;
  items: number;
}

export interface ValueWords {
  readonly lang: string;
  /** With `{count}`. */
  readonly more: string;
  readonly moreCharacters: string;
}

const MAX_CHILDREN = 100;
const MAX_TEXT = 2_000;
const MAX_OPEN_CHILDREN = 30;
const MAX_DEPTH = 12;

/**
 * A value as the console shows it: a tree that opens bit by bit, here without scripts. However large the value is, only so
 * much of it is written, and what is left out is counted.
 */
export function valueHtml(value: unknown, words: ValueWords, room: Room, depth = 0): string {
  if (typeof value === "string") return textHtml(value, words, room);
  if (value === null || typeof value !== "object") return `<span class="plain">${String(value)}</span>`;
  const names = Object.keys(value);
  const count = names.length;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (count === 0) return `<span class="plain">${open}${close}</span>`;
  const lines: string[] = [];
  for (const name of depth < MAX_DEPTH ? names.slice(0, MAX_CHILDREN) : []) {
    if (room.items <= 0 || room.characters <= 0) break;
    room.items--;
    const key = cut(Array.isArray(value) ? name : JSON.stringify(name), room);
    lines.push(
      `<li><span class="key">${key}:</span> ${valueHtml((value as Record<string, unknown>)[name], words, room, depth + 1)}</li>`,
    );
  }
  if (lines.length < count)
    lines.push(`<li class="muted">${counted(words.more, count - lines.length, words)}</li>`);
  const isOpen = depth < 2 && count <= MAX_OPEN_CHILDREN;
  return `<details${isOpen ? " open" : ""}><summary>${open} ${count.toLocaleString(words.lang)} ${close}</summary><ul>${lines.join("")}</ul></details>`;
}

function textHtml(text: string, words: ValueWords, room: Room): string {
  const shown = Math.max(0, Math.min(text.length, MAX_TEXT, room.characters));
  room.characters -= shown;
  const whole = shown === text.length;
  const quoted = escapeHtml(JSON.stringify(text.slice(0, shown)).replace(/"$/, whole ? '"' : "…"));
  const rest = whole
    ? ""
    : ` <span class="muted">${counted(words.moreCharacters, text.length - shown, words)}</span>`;
  return `<span class="text">${quoted}</span>${rest}`;
}

function cut(name: string, room: Room): string {
  room.characters -= Math.min(name.length, MAX_TEXT);
  return escapeHtml(name.length > MAX_TEXT ? `${name.slice(0, MAX_TEXT)}…` : name);
}

/** A text with `{count}`, and the count in it. */
export function counted(text: string, count: number, { lang }: Pick<ValueWords, "lang">): string {
  return escapeHtml(text.replace("{count}", count.toLocaleString(lang)));
}
