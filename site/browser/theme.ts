// Loaded before the page is painted, so that it never shows in the other colours first.
const html = document.documentElement;
const KEY = "millrace-docs-theme";

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const chosen = stored();
if (chosen === "dark" || chosen === "light") html.dataset["theme"] = chosen;

document.addEventListener("DOMContentLoaded", () => {
  const button = document.querySelector<HTMLButtonElement>("#theme")!;
  const isDark = () =>
    (html.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) ===
    "dark";
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark";
  };
  show();
  button.addEventListener("click", () => {
    html.dataset["theme"] = isDark() ? "light" : "dark";
    try {
      localStorage.setItem(KEY, html.dataset["theme"]);
    } catch {
      // A browser that keeps nothing shows it for this page.
    }
    show();
  });
});
