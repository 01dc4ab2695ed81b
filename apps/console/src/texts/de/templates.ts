import type { templates as english } from "../en/templates.ts";
import type { Translated } from "../dictionary.ts";

export const templates: Translated<typeof english> = {
  "nav.templates": "Vorlagen",
  "templates.intro":
    "Abläufe für den Anfang, jeder mit Tests. Daraus wird ein Entwurf; nichts läuft, bevor Sie ihn veröffentlichen.",
  "templates.search": "Vorlagen durchsuchen",
  "templates.none": "Keine Vorlage passt",
  "templates.picture": "Bild des Ablaufs: {nodes}",
  "templates.needs": "Braucht Zugangsdaten: {types}",
  "templates.use": "Vorlage verwenden",
  "flows.new": "Neuer Ablauf",
  "flows.newHelp": "Er beginnt als Entwurf; nichts läuft, bevor Sie ihn veröffentlichen.",
  "flows.create": "Anlegen und bearbeiten",
  "flows.fromTemplate": "Aus einer Vorlage",
};
