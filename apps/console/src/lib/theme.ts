export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEY = "millrace.theme";

export function readTheme(): Theme {
  return themes.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
}

export function applyTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
