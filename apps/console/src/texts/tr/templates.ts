import type { templates as english } from "../en/templates.ts";
import type { Translated } from "../dictionary.ts";

export const templates: Translated<typeof english> = {
  "nav.templates": "Şablonlar",
  "templates.intro":
    "Başlangıç için akışlar, her biri testleriyle. Birini kullanmak taslak oluşturur; yayımlayana kadar hiçbir şey çalışmaz.",
  "templates.search": "Şablonlarda ara",
  "templates.none": "Uyan şablon yok",
  "templates.picture": "Akışın resmi: {nodes}",
  "templates.needs": "Gereken kimlik bilgileri: {types}",
  "templates.use": "Bu şablonu kullan",
  "flows.new": "Yeni akış",
  "flows.newHelp": "Taslak olarak başlar; yayımlayana kadar hiçbir şey çalışmaz.",
  "flows.create": "Oluştur ve düzenle",
  "flows.fromTemplate": "Şablondan",
};
