#!/usr/bin/env node
// Plain JavaScript on purpose: an older Node must be able to read the line that turns it away.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    `Millrace needs Node 24 and this is Node ${process.versions.node}; run it as "npx millrace" or "npm start", which use the Node 24 that npm installed.`,
  );
  process.exit(1);
}
// Stripped types and compiled code of the last start are used again: a later start takes half the time.
const { enableCompileCache } = await import("node:module");
enableCompileCache();
const { main } = await import("../src/main.ts");
await main(process.argv);
