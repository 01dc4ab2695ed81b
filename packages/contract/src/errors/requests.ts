import type { ErrorEntry } from "./entry.ts";

// prettier-ignore
/** Of a request that cannot be read, or too many of them. */
export const requestErrors = {
  invalid_request_body: {
    status: 400,
    error: { en: "Invalid request body", tr: "Geçersiz istek gövdesi", es: "Cuerpo de la solicitud no válido", fr: "Corps de requête invalide", de: "Ungültiger Anfrageinhalt" },
    message: { en: "See `issues` for details", tr: "Her hata için `issues` alanına bakın", es: "Consulte `issues` para cada error", fr: "Voir `issues` pour chaque erreur", de: "Jeder Fehler steht in `issues`" },
  },
  invalid_query: {
    status: 400,
    error: { en: "Invalid query parameters", tr: "Geçersiz sorgu parametreleri", es: "Parámetros de consulta no válidos", fr: "Paramètres de requête invalides", de: "Ungültige Abfrageparameter" },
    message: { en: "See `issues` for details", tr: "Her hata için `issues` alanına bakın", es: "Consulte `issues` para cada error", fr: "Voir `issues` pour chaque erreur", de: "Jeder Fehler steht in `issues`" },
  },
  bad_request: {
    status: 400,
    error: { en: "Bad request", tr: "Hatalı istek", es: "Solicitud incorrecta", fr: "Requête incorrecte", de: "Fehlerhafte Anfrage" },
    message: { en: "The request could not be parsed", tr: "İstek okunamadı", es: "No se pudo leer la solicitud", fr: "La requête n'a pas pu être lue", de: "Die Anfrage konnte nicht gelesen werden" },
  },
  invalid_flow_id: {
    status: 400,
    error: { en: "Invalid flow ID", tr: "Geçersiz akış kimliği", es: "ID de flujo no válido", fr: "ID de flux invalide", de: "Ungültige Ablauf-ID" },
    message: { en: "A flow ID has 1 to 64 characters: letters, digits, _ and -", tr: "Akış kimliği 1-64 harf, rakam, _ veya - içerir", es: "Un ID de flujo tiene de 1 a 64 letras, dígitos, _ o -", fr: "Un ID de flux a de 1 à 64 lettres, chiffres, _ ou -", de: "Eine Ablauf-ID hat 1 bis 64 Buchstaben, Ziffern, _ oder -" },
  },
  invalid_agent_id: {
    status: 400,
    error: { en: "Invalid agent ID", tr: "Geçersiz ajan kimliği", es: "ID de agente no válido", fr: "ID d'agent invalide", de: "Ungültige Agenten-ID" },
    message: { en: "An agent ID has 1 to 64 characters: letters, digits, _ and -", tr: "Ajan kimliği 1-64 harf, rakam, _ veya - içerir", es: "Un ID de agente tiene de 1 a 64 letras, dígitos, _ o -", fr: "Un ID d'agent a de 1 à 64 lettres, chiffres, _ ou -", de: "Eine Agenten-ID hat 1 bis 64 Buchstaben, Ziffern, _ oder -" },
  },
  invalid_id: {
    status: 400,
    error: { en: "Invalid ID", tr: "Geçersiz kimlik", es: "ID no válido", fr: "ID invalide", de: "Ungültige ID" },
    message: { en: "An ID has 1 to 64 characters: letters, digits, _ and -", tr: "Kimlik 1-64 harf, rakam, _ veya - içerir", es: "Un ID tiene de 1 a 64 letras, dígitos, _ o -", fr: "Un ID a de 1 à 64 lettres, chiffres, _ ou -", de: "Eine ID hat 1 bis 64 Buchstaben, Ziffern, _ oder -" },
  },
  invalid_run_id: {
    status: 400,
    error: { en: "Invalid run ID", tr: "Geçersiz çalıştırma kimliği", es: "ID de ejecución no válido", fr: "ID d'exécution invalide", de: "Ungültige Lauf-ID" },
    message: { en: "Run IDs start with run_", tr: "Çalıştırma kimliği run_ ile başlar", es: "Un ID de ejecución empieza por run_", fr: "Un ID d'exécution commence par run_", de: "Eine Lauf-ID beginnt mit run_" },
  },
  invalid_last_event_id: {
    status: 400,
    error: { en: "Invalid lastEventId", tr: "Geçersiz lastEventId", es: "lastEventId no válido", fr: "lastEventId invalide", de: "Ungültige lastEventId" },
    message: { en: "lastEventId must be a whole number, 0 or greater", tr: "lastEventId 0 veya daha büyük bir tam sayıdır", es: "lastEventId es un número entero, 0 o más", fr: "lastEventId est un entier, 0 ou plus", de: "lastEventId ist eine ganze Zahl ab 0" },
  },
  route_not_found: {
    status: 404,
    error: { en: "Not found", tr: "Bulunamadı", es: "No encontrado", fr: "Introuvable", de: "Nicht gefunden" },
    message: { en: "This path does not exist; see /docs", tr: "Böyle bir adres yok; /docs sayfasına bakın", es: "No existe esa dirección; consulte /docs", fr: "Cette adresse n'existe pas ; voir /docs", de: "Diese Adresse gibt es nicht; siehe /docs" },
  },
  method_not_allowed: {
    status: 405,
    error: { en: "Method not allowed", tr: "Yönteme izin verilmiyor", es: "Método no permitido", fr: "Méthode non autorisée", de: "Methode nicht erlaubt" },
    message: { en: "This path does not support this method; see the Allow header", tr: "Bu adres başka yöntemleri kabul eder; Allow başlığına bakın", es: "Esta dirección acepta otros métodos; consulte la cabecera Allow", fr: "Cette adresse accepte d'autres méthodes ; voir l'en-tête Allow", de: "Diese Adresse nimmt andere Methoden; siehe Kopfzeile Allow" },
  },
  request_timeout: {
    status: 408,
    error: { en: "Request timeout", tr: "İstek zaman aşımı", es: "Tiempo de solicitud agotado", fr: "Délai de requête dépassé", de: "Zeitüberschreitung der Anfrage" },
    message: { en: "The request took too long to arrive", tr: "İstek zamanında gelmedi", es: "La solicitud no llegó a tiempo", fr: "La requête n'est pas arrivée à temps", de: "Die Anfrage kam nicht rechtzeitig an" },
  },
  payload_too_large: {
    status: 413,
    error: { en: "Payload too large", tr: "İçerik çok büyük", es: "Contenido demasiado grande", fr: "Contenu trop volumineux", de: "Inhalt zu groß" },
    message: { en: "The request body is larger than this endpoint allows", tr: "Gövde bu adresin sınırını aşıyor", es: "El cuerpo supera el límite de esta dirección", fr: "Le corps dépasse la limite de cette adresse", de: "Der Inhalt überschreitet die Grenze dieser Adresse" },
  },
  uri_too_long: {
    status: 414,
    error: { en: "URI too long", tr: "URI çok uzun", es: "URI demasiado larga", fr: "URI trop longue", de: "Adresse zu lang" },
    message: { en: "The URL is longer than 8 KB", tr: "Adres 8 KB sınırını aşıyor", es: "La dirección supera 8 KB", fr: "L'adresse dépasse 8 Ko", de: "Die Adresse ist länger als 8 KB" },
  },
  unsupported_media_type: {
    status: 415,
    error: { en: "Unsupported media type", tr: "Desteklenmeyen ortam türü", es: "Tipo de contenido no admitido", fr: "Type de contenu non pris en charge", de: "Inhaltstyp nicht unterstützt" },
    message: { en: "Send JSON with Content-Type: application/json", tr: "Content-Type: application/json ile JSON gönderin", es: "Envíe JSON con Content-Type: application/json", fr: "Envoyez du JSON avec Content-Type: application/json", de: "JSON mit Content-Type: application/json senden" },
  },
  too_many_requests: {
    status: 429,
    error: { en: "Too many requests", tr: "Çok fazla istek", es: "Demasiadas solicitudes", fr: "Trop de requêtes", de: "Zu viele Anfragen" },
    message: { en: "Too many requests", tr: "Çok fazla istek", es: "Demasiadas solicitudes", fr: "Trop de requêtes", de: "Zu viele Anfragen" },
  },
  headers_too_large: {
    status: 431,
    error: { en: "Headers too large", tr: "Başlıklar çok büyük", es: "Cabeceras demasiado grandes", fr: "En-têtes trop volumineux", de: "Kopfzeilen zu groß" },
    message: { en: "The request headers exceed 16 KB in total", tr: "Başlıklar toplamda 16 KB sınırını aşıyor", es: "Las cabeceras superan 16 KB en total", fr: "Les en-têtes dépassent 16 Ko au total", de: "Die Kopfzeilen sind zusammen größer als 16 KB" },
  },
} satisfies Record<string, ErrorEntry>;
