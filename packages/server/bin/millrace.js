#!/usr/bin/env node
// Plain JavaScript on purpose: every Node since 20 must be able to read it.
import module from "node:module";
import { runUnderNode24 } from "./node-24.js";

if (Number(process.versions.node.split(".")[0]) < 24) {
  runUnderNode24();
} else {
  // Compiled code of the last start is used again: a later start takes half the time.
  module.enableCompileCache();
  // Where `runUnderNode24` started this process: an end of that one, even by SIGKILL, ends this one too.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
  const { main } = await import("../src/main.ts");
  await main(process.argv);
}
