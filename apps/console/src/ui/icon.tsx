import type { ReactNode } from "react";

/** Drawn on a grid of 16; `currentColor`, so that they follow the text beside them. */
export const iconPaths = {
  check: "M3.5 8.5l3 3 6-7",
  cross: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  play: "M5.5 3.5l6.5 4.5-6.5 4.5z",
  pause: "M5.5 4v8M10.5 4v8",
  clock: "M8 4.5V8l2.5 1.5M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
  stop: "M4.5 4.5h7v7h-7z",
  bolt: "M9 1.8L3.8 9H8l-1 5.2L12.2 7H8z",
  paste: "M5.5 3.5h-2v10h9v-10h-2M5.5 2.5h5V5h-5z",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 9h5.8l.6-9",
  note: "M3 3h10v6.5L9.5 13H3zM13 9.5H9.5V13",
  runs: "M2.5 4h11M2.5 8h11M2.5 12h7",
  flows: "M3 3.5h3.5v3H3zM9.5 9.5H13v3H9.5zM4.8 6.5v4.5h4.7",
  queue: "M2.5 5h7M2.5 8h7M2.5 11h7M12 4v8M10.2 10.2L12 12l1.8-1.8",
  hand: "M3.5 8.5l2.5 3 6.5-7M2 14h12",
  chat: "M2.5 3.5h11v7.5H8L5 13.5V11H2.5z",
  hook: "M5 3v5.5a3 3 0 0 0 6 0V6M11 6L9.2 7.8M11 6l1.8 1.8",
  calendar: "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.3v3M10.5 2.3v3",
  key: "M9.2 6.8a3 3 0 1 1 1.2 1.2L5 13.4H2.8v-2.2z",
  lock: "M4 7.5h8v6H4zM5.8 7.5V5.2a2.2 2.2 0 0 1 4.4 0v2.3",
  people:
    "M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM2 13.2c.4-2.4 2-3.6 4-3.6s3.6 1.2 4 3.6M10.5 3.2a2.2 2.2 0 0 1 0 4.2M12 9.8c1.2.5 1.9 1.7 2.1 3.3",
  coins:
    "M8 3c3 0 5 .9 5 2s-2 2-5 2-5-.9-5-2 2-2 5-2zM3 5v3c0 1.1 2 2 5 2s5-.9 5-2V5M3 8v3c0 1.1 2 2 5 2s5-.9 5-2V8",
  log: "M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2.5",
  pulse: "M1.8 8.5h3L6.5 4l3 8 1.7-3.5h3",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  arrow: "M3 8h9.5M9 4.5L12.5 8 9 11.5",
  fork: "M4.5 3v3.5c0 2 7 1 7 4V13M4.5 3v10M11.5 13l-1.8-1.8M11.5 13l1.8-1.8",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.7M8 12.8v1.7M1.5 8h1.7M12.8 8h1.7M3.4 3.4l1.2 1.2M11.4 11.4l1.2 1.2M3.4 12.6l1.2-1.2M11.4 4.6l1.2-1.2",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  compare: "M2.5 3.5h4v9h-4zM9.5 3.5h4v9h-4z",
  share: "M4 8.5v5h8v-5M8 10V2.5M5.5 5L8 2.5 10.5 5",
  download: "M4 10.5v3h8v-3M8 2.5V10M5.5 7.5L8 10l2.5-2.5",
  retry: "M12.5 5.5A5 5 0 1 0 13 9M12.8 2.5v3.2H9.6",
  question: "M5.8 5.8a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.7M8 12.2h.01",
  dot: "M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
} as const;

export type IconName = keyof typeof iconPaths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
