import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Served by the agent's server under /console, with a content security policy that forbids inline scripts.
export default defineConfig({
  base: "/console/",
  plugins: [react()],
  build: {
    outDir: "../app/console/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "licenses.md" },
  },
});
