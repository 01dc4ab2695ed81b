import type { Texts } from "@millrace/contract/locales";

type Clause =
  | "disk_missing"
  | "disk_free"
  | "make_room"
  | "growth"
  | "growth_unbounded"
  | "growth_too_large"
  | "no_transaction"
  | "transaction"
  | "end_transaction";

/** What the doctor says of disk and growth, in parts that follow each other. */
// oxfmt-ignore
export const CLAUSES: Readonly<Record<Clause, Texts>> = {
  disk_missing: { en: "{directory} does not exist yet; the first start makes it", tr: "{directory} henüz yok; ilk başlatma onu oluşturur", es: "{directory} todavía no existe; el primer arranque lo crea", fr: "{directory} n'existe pas encore ; le premier démarrage le crée", de: "{directory} gibt es noch nicht; der erste Start legt es an" },
  disk_free: { en: "{free} free in {directory}", tr: "{directory} içinde {free} boş", es: "{free} libres en {directory}", fr: "{free} libres dans {directory}", de: "{free} frei in {directory}" },
  make_room: { en: "; make room or set MILLRACE_DATA_DIR to another disk", tr: "; yer açın ya da MILLRACE_DATA_DIR ile başka bir disk seçin", es: "; libere espacio o apunte MILLRACE_DATA_DIR a otro disco", fr: " ; libérez de la place ou choisissez un autre disque avec MILLRACE_DATA_DIR", de: "; Platz schaffen oder mit MILLRACE_DATA_DIR eine andere Platte wählen" },
  growth: { en: "the database holds {size}; {runs} runs a day, kept for {days} days, come to about {budget}", tr: "veritabanı {size} tutuyor; günde {runs} çalıştırma, {days} gün saklanınca yaklaşık {budget} eder", es: "la base de datos ocupa {size}; {runs} ejecuciones al día, guardadas {days} días, suman unos {budget}", fr: "la base de données occupe {size} ; {runs} exécutions par jour, gardées {days} jours, font environ {budget}", de: "die Datenbank belegt {size}; {runs} Läufe am Tag, {days} Tage aufbewahrt, ergeben etwa {budget}" },
  growth_unbounded: { en: "the database holds {size}; {runs} runs a day add about {budget}, and nothing is ever deleted; set MILLRACE_RETENTION_DAYS to bound it", tr: "veritabanı {size} tutuyor; günde {runs} çalıştırma yaklaşık {budget} ekler ve hiçbir şey silinmez; sınırlamak için MILLRACE_RETENTION_DAYS ayarlayın", es: "la base de datos ocupa {size}; {runs} ejecuciones al día añaden unos {budget} y nunca se borra nada; póngale límite con MILLRACE_RETENTION_DAYS", fr: "la base de données occupe {size} ; {runs} exécutions par jour ajoutent environ {budget}, et rien n'est jamais supprimé ; limitez-la avec MILLRACE_RETENTION_DAYS", de: "die Datenbank belegt {size}; {runs} Läufe am Tag fügen etwa {budget} hinzu, und nichts wird je gelöscht; MILLRACE_RETENTION_DAYS begrenzt das" },
  growth_too_large: { en: "; that is more than is free, so lower MILLRACE_RETENTION_DAYS", tr: "; bu boş yerden fazla, MILLRACE_RETENTION_DAYS değerini düşürün", es: "; es más de lo que queda libre: reduzca MILLRACE_RETENTION_DAYS", fr: " ; c'est plus que la place libre : diminuez MILLRACE_RETENTION_DAYS", de: "; das ist mehr, als frei ist: MILLRACE_RETENTION_DAYS verkleinern" },
  no_transaction: { en: "none has been open for long", tr: "uzun süredir açık olan yok", es: "ninguna lleva mucho tiempo abierta", fr: "aucune n'est ouverte depuis longtemps", de: "keine ist seit langem offen" },
  transaction: { en: "{owner} has had one open for {seconds} s", tr: "{owner}: biri {seconds} saniyedir açık", es: "{owner}: una lleva {seconds} s abierta", fr: "{owner} : une est ouverte depuis {seconds} s", de: "{owner}: eine ist seit {seconds} s offen" },
  end_transaction: { en: ", and nothing that changed since can be cleaned up; end it: {remedy}", tr: "; o zamandan beri değişen hiçbir şey temizlenemiyor; bitirmek için: {remedy}", es: " y nada de lo que cambió desde entonces puede limpiarse; termínela: {remedy}", fr: ", et rien de ce qui a changé depuis ne peut être nettoyé ; terminez-la : {remedy}", de: ", und nichts, was sich seitdem geändert hat, kann aufgeräumt werden; beenden mit: {remedy}" },
};
