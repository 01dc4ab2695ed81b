import type { TextKey } from "../texts/texts.tsx";
import type { IconName } from "../ui/icon.tsx";

export interface Destination {
  readonly to: "/runs" | "/flows" | "/queue" | "/approvals" | "/agents";
  readonly text: TextKey;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly letter: string;
}

/** Every page that stands for itself, in groups, as the navigation and the palette show them. */
export const navigation: readonly (readonly Destination[])[] = [
  [
    { to: "/runs", text: "nav.runs", icon: "runs", letter: "r" },
    { to: "/queue", text: "nav.queue", icon: "queue", letter: "q" },
    { to: "/approvals", text: "nav.approvals", icon: "hand", letter: "a" },
  ],
  [
    { to: "/flows", text: "nav.flows", icon: "flows", letter: "f" },
    { to: "/agents", text: "nav.agents", icon: "chat", letter: "t" },
  ],
];
