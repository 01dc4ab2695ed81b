import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { sharedTextKeys } from "./shared-text-keys.ts";

export default defineConfig({
  base: "/console/",
  plugins: [react(), sharedTextKeys()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // Nothing may be put into the page itself: the policy lets neither scripts nor styles run there.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // A slow machine is no news.
      checks: { bundlerTimings: false },
      // They only wrap a component: those of libraries that nobody draws are left out.
      treeshake: { manualPureFunctions: ["memo", "forwardRef", "createContext"] },
      // What several pages share is one file: dozens of a few hundred bytes each weigh more.
      output: {
        codeSplitting: { groups: [{ name: "shared", test: /\/src\/(?:ui|api)\//, minShareCount: 2 }] },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/manage", "/app", "/docs"].map((path) => [path, "http://127.0.0.1:4000"]),
    ),
  },
});
