import type { words as english } from "../en/words.ts";
import type { Translated } from "../dictionary.ts";

export const words: Translated<typeof english> = {
  "diff.node": "“{node}” düğümü",
  "diff.edge": "Kenar {edge}",
  "diff.input": "“{name}” girdisi",
  "diff.type": "tür",
  "diff.set": "{what} artık {after}",
  "diff.unset": "{what} kaldırıldı, değeri {before} idi",
  "diff.change": "{what} {before} iken {after} oldu",
  "diff.nothing": "hiçbir şey",
  "fail.output": "Çıktı farklı",
  "fail.error": "Hata farklı",
  "fail.path-missing": "“{node}” bekleniyordu ama başlamadı",
  "fail.path-extra": "“{node}” beklenmeden başladı",
  "fail.path-twice": "“{node}” iki kez yazılmış",
  "fail.path-order": "“{node}”, “{other}” düğümünden önce yazılmış",
  "fail.call-inputs": "“{node}” başka girdilerle çağrıldı",
  "fail.value": "{path}: beklenen {expected}, gelen {actual}",
  "fail.more": "… ve {count} tane daha",
  "fail.no-answer":
    "“{node}” düğümünün ({type}) yanıtı yok; hiçbir şey gönderilmedi. Ekleyin: answers: {example}",
  "fail.was-given": "Ona verilen: {input}",
  "fail.no-fit": "Test bu akışa uymuyor",
  "fail.flow": "{flow} akışı böyle çalışamaz",
};
