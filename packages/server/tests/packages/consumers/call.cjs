"use strict";
const { MillraceClient, MillraceError } = require("@millrace/client");

async function main([baseUrl, apiKey]) {
  const millrace = new MillraceClient({ baseUrl, apiKey });
  const started = await millrace.runs.trigger({
    payload: { flowId: "flow_hello", trigger: { body: { name: "CommonJS" } } },
  });
  const { status, output } = await millrace.runs.wait(started.id);
  const refused = await new MillraceClient({ baseUrl, apiKey: "mr_org_wrong" })
    .validate()
    .catch((error) => error);
  console.log(JSON.stringify({ status, output, refused: refused instanceof MillraceError && refused.code }));
}

void main(process.argv.slice(2));
