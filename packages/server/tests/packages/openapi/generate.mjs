// Types and clients from openapi.json, by two generators.
import { readFileSync, writeFileSync } from "node:fs";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString } from "openapi-typescript";

writeFileSync("fetch/schema.d.ts", astToString(await openapiTS(readFileSync("openapi.json", "utf8"))));
await createClient({
  input: "openapi.json",
  output: "hey/client",
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
  logs: { level: "error", file: false },
});
