import { readdir } from "node:fs/promises";

const storage = new URL("../../src/storage/", import.meta.url);

// Files that share a process share its modules: all statements have to be declared before the first of them opens a pool.
for (const file of await readdir(storage, { recursive: true }))
  if (file.endsWith(".ts")) await import(new URL(file, storage).href);
