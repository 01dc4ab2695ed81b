import type { templates as english } from "../en/templates.ts";
import type { Translated } from "../dictionary.ts";

export const templates: Translated<typeof english> = {
  "nav.templates": "Modèles",
  "templates.intro":
    "Des flux pour commencer, chacun avec des tests. En utiliser un crée un brouillon ; rien ne s'exécute avant la publication.",
  "templates.search": "Chercher un modèle",
  "templates.none": "Aucun modèle ne correspond",
  "templates.picture": "Image du flux : {nodes}",
  "templates.needs": "Identifiants nécessaires : {types}",
  "templates.use": "Utiliser ce modèle",
  "flows.new": "Nouveau flux",
  "flows.newHelp": "Il commence comme brouillon ; rien ne s'exécute avant la publication.",
  "flows.create": "Créer et modifier",
  "flows.fromTemplate": "À partir d'un modèle",
};
