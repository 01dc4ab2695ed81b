import { spawn } from "node:child_process";

/** Opens an address where there is a browser to see it; whoever has none reads the address. */
export function openBrowser(url: string, env: Readonly<Record<string, string | undefined>>): void {
  const command = commandFor(process.platform, env);
  if (!command) return;
  const child = spawn(command, [url], { detached: true, stdio: "ignore" });
  // Not installed: the address was printed.
  child.on("error", () => {});
  child.unref();
}

function commandFor(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (platform === "darwin") return "open";
  if (platform === "win32") return "explorer";
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : undefined;
}
