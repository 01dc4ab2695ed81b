import type { ErrorEntry } from "./entry.ts";

// prettier-ignore
/** Of the service itself, and the models behind it. */
export const serviceErrors = {
  session_busy: {
    status: 409,
    error: { en: "Session busy", tr: "Oturum meşgul", es: "Sesión ocupada", fr: "Session occupée", de: "Sitzung beschäftigt" },
    message: { en: "Too many messages are waiting in this session; try again after the next reply", tr: "Bu oturumda çok fazla mesaj bekliyor; bir yanıttan sonra tekrar deneyin", es: "Hay demasiados mensajes en espera; inténtelo tras una respuesta", fr: "Trop de messages attendent dans cette session ; réessayez après une réponse", de: "In dieser Sitzung warten zu viele Nachrichten; nach einer Antwort erneut versuchen" },
  },
  internal_error: {
    status: 500,
    error: { en: "Internal server error", tr: "Sunucu hatası", es: "Error interno del servidor", fr: "Erreur interne du serveur", de: "Interner Serverfehler" },
    message: { en: "Something went wrong on our side; include the X-Request-Id header when you report it", tr: "Burada bir sorun oluştu; bildirirken X-Request-Id değerini belirtin", es: "Algo falló aquí; indique X-Request-Id al informar", fr: "Une erreur s'est produite ; citez X-Request-Id en la signalant", de: "Hier ging etwas schief; bitte X-Request-Id bei der Meldung angeben" },
  },
  upstream_failed: {
    status: 502,
    error: { en: "Agent upstream failed", tr: "Ajan sağlayıcısı başarısız oldu", es: "Falló el proveedor del agente", fr: "Le fournisseur de l'agent a échoué", de: "Anbieter des Agenten fehlgeschlagen" },
    message: { en: "The agent's model provider did not return a usable reply", tr: "Ajanın sağlayıcısı kullanılabilir bir yanıt vermedi", es: "El proveedor del agente no dio una respuesta utilizable", fr: "Le fournisseur de l'agent n'a pas donné de réponse utilisable", de: "Der Anbieter des Agenten gab keine brauchbare Antwort" },
  },
  upstream_unavailable: {
    status: 503,
    error: { en: "Agent upstream unavailable", tr: "Ajan sağlayıcısına ulaşılamıyor", es: "Proveedor del agente no disponible", fr: "Fournisseur de l'agent indisponible", de: "Anbieter des Agenten nicht erreichbar" },
    message: { en: "The agent's model provider is overloaded or unreachable", tr: "Ajanın sağlayıcısı aşırı yüklü ya da ulaşılamıyor", es: "El proveedor del agente está saturado o no responde", fr: "Le fournisseur de l'agent est surchargé ou injoignable", de: "Der Anbieter des Agenten ist überlastet oder nicht erreichbar" },
  },
  reply_interrupted: {
    status: 503,
    error: { en: "Reply interrupted", tr: "Yanıt kesildi", es: "Respuesta interrumpida", fr: "Réponse interrompue", de: "Antwort abgebrochen" },
    message: { en: "The process writing the reply has stopped; send the message again", tr: "Yanıtı yazan süreç durdu; mesajı yeniden gönderin", es: "El proceso que escribía la respuesta se detuvo; envíe el mensaje de nuevo", fr: "Le processus qui écrivait la réponse s'est arrêté ; renvoyez le message", de: "Der Prozess, der die Antwort schrieb, wurde beendet; die Nachricht bitte erneut senden" },
  },
  service_unavailable: {
    status: 503,
    error: { en: "Service unavailable", tr: "Hizmet kullanılamıyor", es: "Servicio no disponible", fr: "Service indisponible", de: "Dienst nicht verfügbar" },
    message: { en: "The service cannot handle this request right now; try again shortly", tr: "Hizmet şu anda yanıt veremiyor; kısa süre sonra tekrar deneyin", es: "El servicio no puede responder ahora; inténtelo de nuevo en breve", fr: "Le service ne peut pas répondre pour l'instant ; réessayez sous peu", de: "Der Dienst kann gerade nicht antworten; bitte gleich erneut versuchen" },
  },
  upstream_timed_out: {
    status: 504,
    error: { en: "Agent upstream timed out", tr: "Ajan sağlayıcısı zaman aşımına uğradı", es: "El proveedor del agente agotó el tiempo", fr: "Le fournisseur de l'agent a expiré", de: "Anbieter des Agenten antwortete zu spät" },
    message: { en: "The agent's model provider did not respond in time", tr: "Ajanın sağlayıcısı zamanında yanıt vermedi", es: "El proveedor del agente no respondió a tiempo", fr: "Le fournisseur de l'agent n'a pas répondu à temps", de: "Der Anbieter des Agenten antwortete nicht rechtzeitig" },
  },
} satisfies Record<string, ErrorEntry>;
