import type { health as english } from "../en/health.ts";
import type { Translated } from "../dictionary.ts";

export const health: Translated<typeof english> = {
  "health.processes": "Süreçler",
  "health.processList": "Süreç listesi",
  "health.duties": "Bu sürecin görevleri",
  "health.dutyList": "Görev listesi",
  "health.disk": "Disk",
  "health.host": "Sunucu",
  "health.alive": "Çalışıyor",
  "health.lost": "Kayıp",
  "health.here": "burada yanıtlıyor",
  "health.heard": "Son haber",
  "health.every": "Her",
  "health.success": "Son başarı",
  "health.failures": "O zamandan beri hata",
  "health.ok": "Yolunda",
  "health.warn": "Uyarı",
  "health.fail": "Başarısız",
  "health.allGood": "Her şey yolunda.",
  "health.checkDisk": "Boş yer",
  "health.checkGrowth": "Büyüme",
  "health.checkTransactions": "İşlemler",
};
