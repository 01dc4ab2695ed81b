export const templates = {
  "nav.templates": "Templates",
  "templates.intro":
    "Flows to start from, each with tests. Using one makes a draft; nothing runs until you publish it.",
  "templates.search": "Search templates",
  "templates.none": "No template matches",
  "templates.picture": "Picture of the flow: {nodes}",
  "templates.needs": "Needs credentials: {types}",
  "templates.use": "Use this template",
  "flows.new": "New flow",
  "flows.newHelp": "It begins as a draft; nothing runs until you publish it.",
  "flows.create": "Create and edit",
  "flows.fromTemplate": "From a template",
} as const;
