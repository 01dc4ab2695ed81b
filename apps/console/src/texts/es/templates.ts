import type { templates as english } from "../en/templates.ts";
import type { Translated } from "../dictionary.ts";

export const templates: Translated<typeof english> = {
  "nav.templates": "Plantillas",
  "templates.intro":
    "Flujos para empezar, cada uno con pruebas. Usar una crea un borrador; nada se ejecuta hasta que lo publique.",
  "templates.search": "Buscar plantillas",
  "templates.none": "Ninguna plantilla coincide",
  "templates.picture": "Imagen del flujo: {nodes}",
  "templates.needs": "Necesita credenciales: {types}",
  "templates.use": "Usar esta plantilla",
  "flows.new": "Flujo nuevo",
  "flows.newHelp": "Empieza como borrador; nada se ejecuta hasta que lo publique.",
  "flows.create": "Crear y editar",
  "flows.fromTemplate": "Desde una plantilla",
};
