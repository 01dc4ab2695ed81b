import type { health as english } from "../en/health.ts";
import type { Translated } from "../dictionary.ts";

export const health: Translated<typeof english> = {
  "health.processes": "Prozesse",
  "health.processList": "Liste der Prozesse",
  "health.duties": "Aufgaben dieses Prozesses",
  "health.dutyList": "Liste der Aufgaben",
  "health.disk": "Speicherplatz",
  "health.host": "Rechner",
  "health.alive": "Läuft",
  "health.lost": "Nicht erreichbar",
  "health.here": "dieser Prozess",
  "health.heard": "Zuletzt gemeldet",
  "health.every": "Takt",
  "health.success": "Letzter Erfolg",
  "health.failures": "Fehler seitdem",
  "health.ok": "In Ordnung",
  "health.warn": "Warnung",
  "health.fail": "Gestört",
  "health.allGood": "Alles ist in Ordnung.",
  "health.checkDisk": "Freier Platz",
  "health.checkGrowth": "Wachstum",
  "health.checkTransactions": "Transaktionen",
};
