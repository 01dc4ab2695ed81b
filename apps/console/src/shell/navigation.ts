import { mayAct, type Role } from "../lib/session.ts";
import type { TextKey } from "../texts/texts.tsx";
import type { IconName } from "../ui/icon.tsx";

export interface Destination {
  readonly to:
    | "/runs"
    | "/flows"
    | "/templates"
    | "/queue"
    | "/approvals"
    | "/agents"
    | "/keys"
    | "/credentials"
    | "/members"
    | "/credits"
    | "/audit"
    | "/webhooks"
    | "/schedules"
    | "/health";
  readonly text: TextKey;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly letter: string;
  /** The least role that sees anything there. */
  readonly role?: Role;
}

/** Every page that stands for itself, in groups, as the navigation and the palette show them. */
const places: readonly (readonly Destination[])[] = [
  [
    { to: "/runs", text: "nav.runs", icon: "runs", letter: "r" },
    { to: "/queue", text: "nav.queue", icon: "queue", letter: "q" },
    { to: "/approvals", text: "nav.approvals", icon: "hand", letter: "a" },
  ],
  [
    { to: "/flows", text: "nav.flows", icon: "flows", letter: "f" },
    { to: "/templates", text: "nav.templates", icon: "copy", letter: "e" },
    { to: "/schedules", text: "nav.schedules", icon: "calendar", letter: "s" },
    { to: "/agents", text: "nav.agents", icon: "chat", letter: "t" },
    { to: "/webhooks", text: "nav.webhooks", icon: "hook", letter: "w" },
  ],
  [
    { to: "/keys", text: "nav.keys", icon: "key", letter: "k", role: "admin" },
    { to: "/credentials", text: "nav.credentials", icon: "lock", letter: "c" },
    { to: "/members", text: "nav.members", icon: "people", letter: "m" },
    { to: "/credits", text: "nav.credits", icon: "coins", letter: "b" },
    { to: "/audit", text: "nav.audit", icon: "log", letter: "l", role: "admin" },
    { to: "/health", text: "nav.health", icon: "pulse", letter: "h", role: "owner" },
  ],
];

/** Those that the signed-in person can see something on. */
export function navigation(): readonly (readonly Destination[])[] {
  return places
    .map((group) => group.filter(({ role }) => mayAct(role ?? "viewer")))
    .filter((group) => group.length > 0);
}
