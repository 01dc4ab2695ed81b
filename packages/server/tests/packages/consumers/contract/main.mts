import { errorCatalogue } from "@millrace/contract/errors";
import { triggerBody, type TriggerBody, type TriggerRequest } from "@millrace/contract/trigger";
import schema from "@millrace/contract/schemas/flow.schema.json" with { type: "json" };

const request: TriggerRequest = { payload: { flowId: "flow_hello" } };
const body: TriggerBody = triggerBody.parse(request);
console.log(
  JSON.stringify({
    maxAttempts: body.maxAttempts,
    texts: Object.keys(errorCatalogue.unauthorized.error).length,
    schema: schema.title,
  }),
);
