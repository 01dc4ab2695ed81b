import type { health as english } from "../en/health.ts";
import type { Translated } from "../dictionary.ts";

export const health: Translated<typeof english> = {
  "health.processes": "Procesos",
  "health.processList": "Lista de procesos",
  "health.duties": "Tareas de este proceso",
  "health.dutyList": "Lista de tareas",
  "health.disk": "Disco",
  "health.host": "Host",
  "health.alive": "Vivo",
  "health.lost": "Perdido",
  "health.here": "responde aquí",
  "health.heard": "Última señal",
  "health.every": "Cada",
  "health.success": "Último éxito",
  "health.failures": "Fallos desde",
  "health.ok": "Correcto",
  "health.warn": "Aviso",
  "health.fail": "Con fallos",
  "health.allGood": "Todo está en orden.",
  "health.checkDisk": "Espacio libre",
  "health.checkGrowth": "Crecimiento",
  "health.checkTransactions": "Transacciones",
};
