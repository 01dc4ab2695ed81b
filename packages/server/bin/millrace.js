#!/usr/bin/env node
// Plain JavaScript on purpose: every Node since 20 must be able to read it.
import module from "node:module";
import { runUnderNode24 } from "./node-24.js";

// Read by Node when the first thread is needed: names are looked up on these threads, beside files and cryptography.
process.env.UV_THREADPOOL_SIZE ??= "16";

if (Number(process.versions.node.split(".")[0]) < 24) {
  runUnderNode24();
} else {
  // Where `runUnderNode24` or the supervisor started this process: an end of that one, even by SIGKILL, ends this one too.
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
  if (isToSupervise()) {
    const { supervise } = await import("./supervisor.js");
    process.exitCode = await supervise(process.argv[1], process.argv.slice(2), process.env);
  } else {
    // Compiled code of the last start is used again: a later start takes half the time.
    module.enableCompileCache();
    const { main } = await import("../src/main.ts");
    await main(process.argv);
  }
}

function isToSupervise() {
  const isOn = ["on", "", undefined].includes(process.env.MILLRACE_SUPERVISE);
  // A debugger has to reach the service itself.
  const isDebugged = process.execArgv.some((option) => option.startsWith("--inspect"));
  return process.argv[2] === "start" && isOn && !isDebugged;
}
