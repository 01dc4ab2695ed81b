import type { words as english } from "../en/words.ts";
import type { Translated } from "../dictionary.ts";

export const words: Translated<typeof english> = {
  "diff.node": "Nœud « {node} »",
  "diff.edge": "Arête {edge}",
  "diff.input": "entrée « {name} »",
  "diff.type": "type",
  "diff.set": "{what} devient {after}",
  "diff.unset": "{what} retiré, valait {before}",
  "diff.change": "{what} passe de {before} à {after}",
  "diff.nothing": "rien",
  "fail.output": "La sortie diffère",
  "fail.error": "L’erreur diffère",
  "fail.path-missing": "« {node} » était attendu et n’a pas commencé",
  "fail.path-extra": "« {node} » a commencé sans être attendu",
  "fail.path-twice": "« {node} » figure deux fois",
  "fail.path-order": "« {node} » figure avant « {other} »",
  "fail.call-inputs": "« {node} » a été appelé avec d’autres entrées",
  "fail.value": "{path} : {expected} attendu, {actual} obtenu",
  "fail.more": "… et {count} de plus",
  "fail.no-answer":
    "Le nœud « {node} » ({type}) n’a pas de réponse ; rien n’a été envoyé. Ajoutez : answers: {example}",
  "fail.was-given": "Il a reçu {input}",
  "fail.no-fit": "Le test ne correspond pas au flux",
  "fail.flow": "Le flux {flow} ne peut pas s’exécuter ainsi",
};
