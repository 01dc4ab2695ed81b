import type { health as english } from "../en/health.ts";
import type { Translated } from "../texts.tsx";

export const health: Translated<typeof english> = {
  "health.processes": "Prozesse",
  "health.processList": "Liste der Prozesse",
  "health.duties": "Aufgaben dieses Prozesses",
  "health.dutyList": "Liste der Aufgaben",
  "health.disk": "Platte",
  "health.host": "Rechner",
  "health.alive": "Lebt",
  "health.lost": "Verloren",
  "health.here": "antwortet hier",
  "health.heard": "Zuletzt gehört",
  "health.every": "Alle",
  "health.success": "Letzter Erfolg",
  "health.failures": "Fehler seither",
  "health.ok": "In Ordnung",
  "health.warn": "Warnung",
  "health.fail": "Gestört",
};
