export const WORKFLOW_ID = "peer";
export const WORKFLOW_PATH = "/webhook/greet";

/** Answers with what the last node made. */
export const WORKFLOW = {
  id: WORKFLOW_ID,
  name: "Greet",
  active: false,
  settings: { executionOrder: "v1", saveDataSuccessExecution: "all" },
  nodes: [
    {
      id: "webhook",
      name: "Webhook",
      type: "n8n-nodes-base.webhook",
      typeVersion: 2,
      position: [0, 0],
      webhookId: "greet",
      parameters: { httpMethod: "POST", path: "greet", responseMode: "lastNode", options: {} },
    },
    set("greet", "Greet", "Hello {{ $json.body.name }}"),
    set("done", "Done", "{{ $json.text }}"),
  ],
  connections: {
    Webhook: { main: [[{ node: "Greet", type: "main", index: 0 }]] },
    Greet: { main: [[{ node: "Done", type: "main", index: 0 }]] },
  },
};

function set(id: string, name: string, text: string): object {
  const assignments = [{ id, name: "text", value: `=${text}`, type: "string" }];
  return {
    id,
    name,
    type: "n8n-nodes-base.set",
    typeVersion: 3.4,
    position: [0, 0],
    parameters: { assignments: { assignments }, options: {} },
  };
}
