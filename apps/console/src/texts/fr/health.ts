import type { health as english } from "../en/health.ts";
import type { Translated } from "../dictionary.ts";

export const health: Translated<typeof english> = {
  "health.processes": "Processus",
  "health.processList": "Liste des processus",
  "health.duties": "Tâches de ce processus",
  "health.dutyList": "Liste des tâches",
  "health.disk": "Disque",
  "health.host": "Hôte",
  "health.alive": "En vie",
  "health.lost": "Perdu",
  "health.here": "répond ici",
  "health.heard": "Dernier signe",
  "health.every": "Toutes les",
  "health.success": "Dernier succès",
  "health.failures": "Échecs depuis",
  "health.ok": "En ordre",
  "health.warn": "Avertissement",
  "health.fail": "En échec",
  "health.allGood": "Tout va bien.",
  "health.checkDisk": "Espace libre",
  "health.checkGrowth": "Croissance",
  "health.checkTransactions": "Transactions",
};
