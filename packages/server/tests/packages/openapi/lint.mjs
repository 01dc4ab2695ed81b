// What the linters of others say of openapi.json, as JSON: one line of text for each finding.
import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";

const source = readFileSync("openapi.json", "utf8");

const config = await createConfig({ extends: ["recommended"] });
const redocly = (await lintFromString({ source, config })).map(
  ({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
);

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [oas] });
const found = (await spectral.run(source)).map(
  ({ code, path, message }) => `${code} ${path.join("/")}: ${message}`,
);
console.log(JSON.stringify({ redocly, spectral: found }));
