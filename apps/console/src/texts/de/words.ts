import type { words as english } from "../en/words.ts";
import type { Translated } from "../dictionary.ts";

export const words: Translated<typeof english> = {
  "diff.node": "Knoten „{node}“",
  "diff.edge": "Kante {edge}",
  "diff.input": "Eingabe „{name}“",
  "diff.type": "Typ",
  "diff.set": "{what} auf {after} gesetzt",
  "diff.unset": "{what} entfernt, war {before}",
  "diff.change": "{what} von {before} auf {after} geändert",
  "diff.nothing": "nichts",
  "fail.output": "Die Ausgabe ist anders",
  "fail.error": "Der Fehler ist anders",
  "fail.path-missing": "„{node}“ wurde erwartet und begann nicht",
  "fail.path-extra": "„{node}“ begann und wurde nicht erwartet",
  "fail.path-twice": "„{node}“ steht zweimal da",
  "fail.path-order": "„{node}“ steht vor „{other}“",
  "fail.call-inputs": "„{node}“ wurde mit anderen Eingaben aufgerufen",
  "fail.value": "{path}: {expected} erwartet, {actual} erhalten",
  "fail.more": "… und {count} weitere",
  "fail.no-answer":
    "Knoten „{node}“ ({type}) hat keine Antwort; nichts wurde gesendet. Ergänzen Sie: answers: {example}",
  "fail.was-given": "Er bekam {input}",
  "fail.no-fit": "Der Test passt nicht zum Ablauf",
  "fail.flow": "Der Ablauf {flow} kann so nicht laufen",
};
