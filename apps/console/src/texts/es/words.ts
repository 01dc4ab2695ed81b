import type { words as english } from "../en/words.ts";
import type { Translated } from "../dictionary.ts";

export const words: Translated<typeof english> = {
  "diff.node": "Nodo «{node}»",
  "diff.edge": "Arista {edge}",
  "diff.input": "entrada «{name}»",
  "diff.type": "tipo",
  "diff.set": "{what} pasa a ser {after}",
  "diff.unset": "se quitó {what}, era {before}",
  "diff.change": "{what} cambia de {before} a {after}",
  "diff.nothing": "nada",
  "fail.output": "La salida es distinta",
  "fail.error": "El error es distinto",
  "fail.path-missing": "Se esperaba «{node}» y no empezó",
  "fail.path-extra": "«{node}» empezó y no se esperaba",
  "fail.path-twice": "«{node}» aparece dos veces",
  "fail.path-order": "«{node}» aparece antes que «{other}»",
  "fail.call-inputs": "«{node}» se llamó con otras entradas",
  "fail.value": "{path}: se esperaba {expected}, resultó {actual}",
  "fail.more": "… y {count} más",
  "fail.no-answer":
    "El nodo «{node}» ({type}) no tiene respuesta; no se envió nada. Añada: answers: {example}",
  "fail.was-given": "Recibió {input}",
  "fail.no-fit": "La prueba no encaja con el flujo",
  "fail.flow": "El flujo {flow} no puede ejecutarse así",
};
