import type { Texts } from "./locales.ts";

export interface ErrorEntry {
  readonly status: number;
  readonly error: Texts;
  readonly message: Texts;
}

// prettier-ignore
/** Every error the service answers with. The name is the stable `code` for programs. */
export const errorCatalogue = {
  unauthorized: {
    status: 401,
    error: { en: "Unauthorized", tr: "Yetkisiz", es: "No autorizado", fr: "Non autorisé", de: "Nicht autorisiert" },
    message: { en: "Authentication required", tr: "Kimlik doğrulaması gerekli", es: "Se requiere autenticación", fr: "Authentification requise", de: "Anmeldung erforderlich" },
  },
  not_assigned: {
    status: 403,
    error: { en: "Not assigned", tr: "Atanmamış", es: "No asignado", fr: "Non assigné", de: "Nicht zugewiesen" },
    message: { en: "Only those whom the approval names, admins and owners may answer it", tr: "Bunu yalnızca onayın adını andıkları, yöneticiler ve sahipler yanıtlayabilir", es: "Solo pueden responder quienes nombra la aprobación, los administradores y los propietarios", fr: "Seuls ceux que l'approbation nomme, les administrateurs et les propriétaires peuvent y répondre", de: "Nur wen die Freigabe nennt, Administratoren und Eigentümer dürfen antworten" },
  },
  access_denied: {
    status: 403,
    error: { en: "Access denied", tr: "Erişim reddedildi", es: "Acceso denegado", fr: "Accès refusé", de: "Zugriff verweigert" },
    message: { en: "This needs the role {requiredRole} in the organization, of the user and of the key", tr: "Bunun için kuruluşta {requiredRole} rolü gerekir; hem kullanıcının hem anahtarın", es: "Se necesita el rol {requiredRole} en la organización, tanto del usuario como de la clave", fr: "Il faut le rôle {requiredRole} dans l'organisation, pour l'utilisateur et pour la clé", de: "Das erfordert die Rolle {requiredRole} in der Organisation, beim Nutzer und beim Schlüssel" },
  },
  organization_access_denied: {
    status: 403,
    error: { en: "Organization access denied", tr: "Kuruluşa erişim reddedildi", es: "Acceso a la organización denegado", fr: "Accès à l'organisation refusé", de: "Zugriff auf die Organisation verweigert" },
    message: { en: "This key does not have access to this organization", tr: "Bu anahtarın kuruluşa erişimi yok", es: "Esta clave no tiene acceso a la organización", fr: "Cette clé n'a pas accès à l'organisation", de: "Dieser Schlüssel hat keinen Zugriff auf die Organisation" },
  },
  host_not_allowed: {
    status: 403,
    error: { en: "Host not allowed", tr: "Ana bilgisayara izin verilmiyor", es: "Host no permitido", fr: "Hôte non autorisé", de: "Host nicht erlaubt" },
    message: { en: "This service listens on this machine only and does not go by this name; set MILLRACE_PUBLIC_URL to the address that callers use", tr: "Bu hizmet yalnızca bu makinede dinler ve bu adla çağrılmaz; MILLRACE_PUBLIC_URL ayarını çağıranların kullandığı adrese getirin", es: "Este servicio solo escucha en esta máquina y no responde a este nombre; ponga en MILLRACE_PUBLIC_URL la dirección que usan los clientes", fr: "Ce service n'écoute que sur cette machine et ne répond pas à ce nom ; indiquez dans MILLRACE_PUBLIC_URL l'adresse utilisée par les clients", de: "Dieser Dienst ist nur auf diesem Rechner erreichbar und heißt nicht so; setzen Sie MILLRACE_PUBLIC_URL auf die Adresse, die Aufrufer benutzen" },
  },
  origin_not_allowed: {
    status: 403,
    error: { en: "Origin not allowed", tr: "Kaynağa izin verilmiyor", es: "Origen no permitido", fr: "Origine non autorisée", de: "Herkunft nicht erlaubt" },
    message: { en: "A page of another site sent this request; call from a program, or through your own server", tr: "Bu isteği başka bir sitenin sayfası gönderdi; bir programdan ya da kendi sunucunuz üzerinden çağırın", es: "Una página de otro sitio envió esta solicitud; llame desde un programa o a través de su propio servidor", fr: "Une page d'un autre site a envoyé cette requête ; appelez depuis un programme ou par votre propre serveur", de: "Eine Seite einer anderen Website hat diese Anfrage gesendet; rufen Sie aus einem Programm oder über Ihren eigenen Server auf" },
  },
  not_a_member: {
    status: 403,
    error: { en: "Not a member", tr: "Üye değil", es: "No es miembro", fr: "Pas membre", de: "Kein Mitglied" },
    message: { en: "The verified e-mail address at the provider does not belong to a member", tr: "Sağlayıcıdaki doğrulanmış e-posta adresi bir üyeye ait değil", es: "El correo verificado en el proveedor no pertenece a ningún miembro", fr: "L'adresse e-mail vérifiée chez le fournisseur n'appartient à aucun membre", de: "Die beim Anbieter bestätigte E-Mail-Adresse gehört keinem Mitglied" },
  },
  sign_in_provider_unavailable: {
    status: 502,
    error: { en: "Sign-in provider unavailable", tr: "Oturum açma sağlayıcısına ulaşılamıyor", es: "Proveedor de inicio de sesión no disponible", fr: "Fournisseur de connexion indisponible", de: "Anmeldedienst nicht erreichbar" },
    message: { en: "The OpenID Connect provider did not answer as it should; try again, or sign in with a key", tr: "OpenID Connect sağlayıcısı gerektiği gibi yanıt vermedi; yeniden deneyin ya da bir anahtarla oturum açın", es: "El proveedor OpenID Connect no respondió como debía; inténtelo de nuevo o use una clave", fr: "Le fournisseur OpenID Connect n'a pas répondu comme prévu ; réessayez ou utilisez une clé", de: "Der OpenID-Connect-Anbieter hat nicht geantwortet wie erwartet; versuchen Sie es erneut oder melden Sie sich mit einem Schlüssel an" },
  },
  cross_site_request: {
    status: 403,
    error: { en: "Cross-site request refused", tr: "Siteler arası istek reddedildi", es: "Solicitud de otro sitio rechazada", fr: "Requête d'un autre site refusée", de: "Anfrage einer fremden Seite abgelehnt" },
    message: { en: "Only pages of this service can sign in", tr: "Yalnızca bu hizmetin sayfaları oturum açabilir", es: "Solo las páginas de este servicio pueden iniciar sesión", fr: "Seules les pages de ce service peuvent ouvrir une session", de: "Nur Seiten dieses Dienstes können eine Sitzung beginnen" },
  },
  user_disabled: {
    status: 403,
    error: { en: "User disabled", tr: "Kullanıcı devre dışı", es: "Usuario desactivado", fr: "Utilisateur désactivé", de: "Nutzer gesperrt" },
    message: { en: "The user of this key is disabled", tr: "Bu anahtarın kullanıcısı devre dışı", es: "El usuario de esta clave está desactivado", fr: "L'utilisateur de cette clé est désactivé", de: "Der Nutzer dieses Schlüssels ist gesperrt" },
  },
  organization_suspended: {
    status: 403,
    error: { en: "Organization suspended", tr: "Kuruluş askıya alındı", es: "Organización suspendida", fr: "Organisation suspendue", de: "Organisation gesperrt" },
    message: { en: "The organization of this key is suspended", tr: "Bu anahtarın kuruluşu askıya alındı", es: "La organización de esta clave está suspendida", fr: "L'organisation de cette clé est suspendue", de: "Die Organisation dieses Schlüssels ist gesperrt" },
  },
  webhook_disabled: {
    status: 403,
    error: { en: "Webhook disabled", tr: "Webhook devre dışı", es: "Webhook desactivado", fr: "Webhook désactivé", de: "Webhook abgeschaltet" },
    message: { en: "The webhook of this flow is disabled", tr: "Bu akışın webhook'u devre dışı", es: "El webhook de este flujo está desactivado", fr: "Le webhook de ce flux est désactivé", de: "Der Webhook dieses Ablaufs ist abgeschaltet" },
  },
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
  flow_validation_failed: {
    status: 400,
    error: { en: "Flow validation failed", tr: "Akış doğrulaması başarısız", es: "La validación del flujo falló", fr: "La validation du flux a échoué", de: "Prüfung des Ablaufs fehlgeschlagen" },
    message: { en: "The flow has errors and cannot run; see `validationErrors`", tr: "Akış bu haliyle çalışamaz; `validationErrors` alanına bakın", es: "El flujo no puede ejecutarse así; consulte `validationErrors`", fr: "Le flux ne peut pas s'exécuter ainsi ; voir `validationErrors`", de: "Der Ablauf kann so nicht laufen; siehe `validationErrors`" },
  },
  tests_failed: {
    status: 400,
    error: { en: "Flow tests failed", tr: "Akış testleri başarısız", es: "Las pruebas del flujo fallaron", fr: "Les tests du flux ont échoué", de: "Tests des Ablaufs fehlgeschlagen" },
    message: { en: "Nothing was published, because the flow requires its tests and these fail: {tests}; `data.tests` says why", tr: "Akış testlerini şart koşuyor ve şunlar başarısız, bu yüzden hiçbir şey yayımlanmadı: {tests}; nedeni `data.tests` içindedir", es: "No se publicó nada porque el flujo exige sus pruebas y estas fallan: {tests}; `data.tests` dice por qué", fr: "Rien n'a été publié, car le flux exige ses tests et ceux-ci échouent : {tests} ; `data.tests` dit pourquoi", de: "Nichts wurde veröffentlicht, weil der Ablauf seine Tests verlangt und diese fehlschlagen: {tests}; `data.tests` sagt, warum" },
  },
  tests_missing: {
    status: 400,
    error: { en: "Flow has no tests", tr: "Akışın testi yok", es: "El flujo no tiene pruebas", fr: "Le flux n'a pas de tests", de: "Der Ablauf hat keine Tests" },
    message: { en: "Nothing was published, because the flow requires tests (`requireTests`) and has none; save a run as a test, or apply a document of the kind FlowTest", tr: "Akış test şart koşuyor (`requireTests`) ama hiç testi yok, bu yüzden hiçbir şey yayımlanmadı; bir çalıştırmayı test olarak kaydedin ya da FlowTest türünde bir belge uygulayın", es: "No se publicó nada porque el flujo exige pruebas (`requireTests`) y no tiene ninguna; guarde una ejecución como prueba o aplique un documento de tipo FlowTest", fr: "Rien n'a été publié, car le flux exige des tests (`requireTests`) et n'en a aucun ; enregistrez une exécution comme test ou appliquez un document de type FlowTest", de: "Nichts wurde veröffentlicht, weil der Ablauf Tests verlangt (`requireTests`) und keine hat; speichern Sie einen Lauf als Test oder übernehmen Sie ein Dokument der Art FlowTest" },
  },
  documents_invalid: {
    status: 400,
    error: { en: "Documents have faults", tr: "Belgelerde hatalar var", es: "Los documentos tienen errores", fr: "Les documents contiennent des erreurs", de: "Die Dokumente haben Fehler" },
    message: { en: "Nothing was changed; every fault with its file and line is in `data.faults`", tr: "Hiçbir şey değiştirilmedi; her hata dosyası ve satırıyla `data.faults` içindedir", es: "No se cambió nada; cada error con su archivo y línea está en `data.faults`", fr: "Rien n'a été modifié ; chaque erreur avec son fichier et sa ligne est dans `data.faults`", de: "Nichts wurde geändert; jeder Fehler mit Datei und Zeile steht in `data.faults`" },
  },
  run_not_cancelable: {
    status: 400,
    error: { en: "Run cannot be cancelled", tr: "Çalıştırma iptal edilemez", es: "La ejecución no se puede cancelar", fr: "L'exécution ne peut pas être annulée", de: "Lauf kann nicht abgebrochen werden" },
    message: { en: "Only WAITING or EXECUTING runs can be cancelled; add ?paused=true to cancel a PAUSED one", tr: "Yalnızca WAITING veya EXECUTING durumundaki çalıştırmalar iptal edilebilir; PAUSED durumundakini iptal etmek için ?paused=true ekleyin", es: "Solo se pueden cancelar ejecuciones WAITING o EXECUTING; añada ?paused=true para cancelar una PAUSED", fr: "Seules les exécutions WAITING ou EXECUTING peuvent être annulées ; ajoutez ?paused=true pour en annuler une PAUSED", de: "Nur Läufe im Status WAITING oder EXECUTING können abgebrochen werden; mit ?paused=true auch einer im Status PAUSED" },
  },
  run_not_forkable: {
    status: 400,
    error: { en: "Run cannot be forked", tr: "Çalıştırma çatallanamaz", es: "La ejecución no se puede bifurcar", fr: "L'exécution ne peut pas être dupliquée", de: "Lauf kann nicht abgezweigt werden" },
    message: { en: "Only runs that have ended can be forked; wait for the end of the run in `messageParams`, or cancel it (a PAUSED one with ?paused=true)", tr: "Yalnızca bitmiş çalıştırmalar çatallanabilir; `messageParams` içindeki çalıştırmanın bitmesini bekleyin ya da onu iptal edin (PAUSED olanı ?paused=true ile)", es: "Solo se pueden bifurcar ejecuciones terminadas; espere al final de la ejecución de `messageParams` o cancélela (una PAUSED con ?paused=true)", fr: "Seules les exécutions terminées peuvent être dupliquées ; attendez la fin de l'exécution citée dans `messageParams` ou annulez-la (une PAUSED avec ?paused=true)", de: "Nur beendete Läufe können abgezweigt werden; das Ende des Laufs in `messageParams` abwarten oder ihn abbrechen (einen im Status PAUSED mit ?paused=true)" },
  },
  run_not_resumable: {
    status: 400,
    error: { en: "Run cannot be resumed", tr: "Çalıştırma sürdürülemez", es: "La ejecución no se puede reanudar", fr: "L'exécution ne peut pas être reprise", de: "Lauf kann nicht fortgesetzt werden" },
    message: { en: "The run is not waiting for this answer, or it has already been answered", tr: "Çalıştırma böyle bir yanıt beklemiyor ya da zaten yanıtlandı", es: "La ejecución no espera esa respuesta o ya fue respondida", fr: "L'exécution n'attend pas cette réponse, ou elle a déjà été donnée", de: "Der Lauf wartet auf keine solche Antwort, oder sie wurde schon gegeben" },
  },
  approval_not_named: {
    status: 400,
    error: { en: "Say which approval is meant", tr: "Hangi onayın kastedildiğini belirtin", es: "Indique qué aprobación se responde", fr: "Précisez l'approbation visée", de: "Bitte die gemeinte Freigabe nennen" },
    message: { en: "Send the node key of one of the pending approvals as nodeId", tr: "Bekleyen onaylardan birinin düğüm anahtarını nodeId olarak gönderin", es: "Envíe como nodeId la clave de nodo de una de las aprobaciones pendientes", fr: "Envoyez comme nodeId la clé de nœud d'une des approbations en attente", de: "Senden Sie den Knotenschlüssel einer der offenen Freigaben als nodeId" },
  },
  run_failed: {
    status: 500,
    error: { en: "Run failed", tr: "Çalıştırma başarısız", es: "La ejecución falló", fr: "L'exécution a échoué", de: "Lauf fehlgeschlagen" },
    message: { en: "The flow was started but did not end well, so it has no answer", tr: "Akış başlatıldı ama iyi bitmedi; bu yüzden yanıtı yok", es: "El flujo se inició pero no terminó bien, así que no tiene respuesta", fr: "Le flux a démarré mais ne s'est pas bien terminé : il n'a pas de réponse", de: "Der Ablauf wurde gestartet, endete aber nicht gut und hat daher keine Antwort" },
  },
  queue_item_not_waiting: {
    status: 400,
    error: { en: "Queue item is no longer waiting", tr: "Kuyruk öğesi artık beklemiyor", es: "El elemento de la cola ya no está en espera", fr: "L'élément de la file n'est plus en attente", de: "Eintrag wartet nicht mehr" },
    message: { en: "Only a waiting queue item can be cancelled; cancel its run instead", tr: "Yalnızca bekleyen kuyruk öğesi iptal edilebilir; bunun yerine çalıştırmayı iptal edin", es: "Solo se puede cancelar un elemento en espera; cancele su ejecución", fr: "Seul un élément en attente peut être annulé ; annulez son exécution", de: "Nur wartende Einträge können abgebrochen werden; brechen Sie stattdessen den Lauf ab" },
  },
  insufficient_credits: {
    status: 402,
    error: { en: "Insufficient credits", tr: "Yetersiz kredi", es: "Créditos insuficientes", fr: "Crédits insuffisants", de: "Nicht genügend Guthaben" },
    message: { en: "The organization does not have enough credits for this run", tr: "Kuruluşun bu çalıştırma için yeterli kredisi yok", es: "La organización no tiene créditos suficientes para esta ejecución", fr: "L'organisation n'a pas assez de crédits pour cette exécution", de: "Das Guthaben der Organisation reicht für diesen Lauf nicht" },
  },
  flow_not_found: {
    status: 404,
    error: { en: "Flow not found", tr: "Akış bulunamadı", es: "Flujo no encontrado", fr: "Flux introuvable", de: "Ablauf nicht gefunden" },
    message: { en: "The flow does not exist, or this key does not have access to it", tr: "Böyle bir akış yok ya da bu anahtar ona erişemiyor", es: "No existe ese flujo o esta clave no puede acceder a él", fr: "Ce flux n'existe pas, ou cette clé ne peut l'atteindre", de: "Diesen Ablauf gibt es nicht, oder der Schlüssel erreicht ihn nicht" },
  },
  template_not_found: {
    status: 404,
    error: { en: "Template not found", tr: "Şablon bulunamadı", es: "Plantilla no encontrada", fr: "Modèle introuvable", de: "Vorlage nicht gefunden" },
    message: { en: "There is no such template; GET /manage/templates lists them", tr: "Böyle bir şablon yok; GET /manage/templates hepsini listeler", es: "No existe esa plantilla; GET /manage/templates las enumera", fr: "Ce modèle n'existe pas ; GET /manage/templates les liste", de: "Diese Vorlage gibt es nicht; GET /manage/templates nennt alle" },
  },
  test_not_found: {
    status: 404,
    error: { en: "Test not found", tr: "Test bulunamadı", es: "Prueba no encontrada", fr: "Test introuvable", de: "Test nicht gefunden" },
    message: { en: "The flow has no such test", tr: "Akışın böyle bir testi yok", es: "El flujo no tiene esa prueba", fr: "Le flux n'a pas ce test", de: "Der Ablauf hat diesen Test nicht" },
  },
  version_not_found: {
    status: 404,
    error: { en: "Version not found", tr: "Sürüm bulunamadı", es: "Versión no encontrada", fr: "Version introuvable", de: "Version nicht gefunden" },
    message: { en: "The flow has no such version", tr: "Akışın böyle bir sürümü yok", es: "El flujo no tiene esa versión", fr: "Le flux n'a pas cette version", de: "Der Ablauf hat diese Version nicht" },
  },
  schedule_not_found: {
    status: 404,
    error: { en: "Schedule not found", tr: "Zamanlama bulunamadı", es: "Programación no encontrada", fr: "Planification introuvable", de: "Zeitplan nicht gefunden" },
    message: { en: "The flow has no such schedule", tr: "Akışın böyle bir zamanlaması yok", es: "El flujo no tiene esa programación", fr: "Le flux n'a pas cette planification", de: "Der Ablauf hat diesen Zeitplan nicht" },
  },
  link_not_found: {
    status: 404,
    error: { en: "Link not found", tr: "Bağlantı bulunamadı", es: "Enlace no encontrado", fr: "Lien introuvable", de: "Link nicht gefunden" },
    message: { en: "The link is wrong, has expired or was revoked", tr: "Bağlantı yanlış, süresi dolmuş ya da iptal edilmiş", es: "El enlace es incorrecto, caducó o fue revocado", fr: "Le lien est faux, a expiré ou a été révoqué", de: "Der Link ist falsch, abgelaufen oder wurde widerrufen" },
  },
  agent_not_found: {
    status: 404,
    error: { en: "Agent not found", tr: "Ajan bulunamadı", es: "Agente no encontrado", fr: "Agent introuvable", de: "Agent nicht gefunden" },
    message: { en: "The agent does not exist", tr: "Böyle bir ajan yok", es: "No existe ese agente", fr: "Cet agent n'existe pas", de: "Diesen Agenten gibt es nicht" },
  },
  run_not_found: {
    status: 404,
    error: { en: "Run not found", tr: "Çalıştırma bulunamadı", es: "Ejecución no encontrada", fr: "Exécution introuvable", de: "Lauf nicht gefunden" },
    message: { en: "The run does not exist", tr: "Böyle bir çalıştırma yok", es: "No existe esa ejecución", fr: "Cette exécution n'existe pas", de: "Diesen Lauf gibt es nicht" },
  },
  node_not_found: {
    status: 404,
    error: { en: "Node not found", tr: "Düğüm bulunamadı", es: "Nodo no encontrado", fr: "Nœud introuvable", de: "Knoten nicht gefunden" },
    message: { en: "The run has not reached a node with this key", tr: "Çalıştırma bu anahtara sahip bir düğüme ulaşmadı", es: "La ejecución no ha llegado a un nodo con esta clave", fr: "L'exécution n'a atteint aucun nœud avec cette clé", de: "Der Lauf hat keinen Knoten mit diesem Schlüssel erreicht" },
  },
  job_not_found: {
    status: 404,
    error: { en: "Job not found", tr: "İş bulunamadı", es: "Trabajo no encontrado", fr: "Tâche introuvable", de: "Auftrag nicht gefunden" },
    message: { en: "There is no such job, or this key cannot reach it", tr: "Böyle bir iş yok ya da bu anahtar ona erişemiyor", es: "No existe ese trabajo o esta clave no tiene acceso a él", fr: "Cette tâche n'existe pas ou cette clé n'y a pas accès", de: "Es gibt keinen solchen Auftrag, oder dieser Schlüssel erreicht ihn nicht" },
  },
  key_not_found: {
    status: 404,
    error: { en: "Key not found", tr: "Anahtar bulunamadı", es: "Clave no encontrada", fr: "Clé introuvable", de: "Schlüssel nicht gefunden" },
    message: { en: "The key does not exist", tr: "Böyle bir anahtar yok", es: "No existe esa clave", fr: "Cette clé n'existe pas", de: "Diesen Schlüssel gibt es nicht" },
  },
  key_not_rotatable: {
    status: 409,
    error: { en: "Key cannot be rotated", tr: "Anahtar yenilenemez", es: "La clave no se puede rotar", fr: "La clé ne peut pas être renouvelée", de: "Schlüssel kann nicht erneuert werden" },
    message: { en: "The key is revoked, has expired or was already rotated; create a new one", tr: "Anahtar iptal edilmiş, süresi dolmuş ya da zaten yenilenmiş; yeni bir anahtar oluşturun", es: "La clave está revocada, ha caducado o ya fue rotada; cree una nueva", fr: "La clé est révoquée, expirée ou déjà renouvelée ; créez-en une nouvelle", de: "Der Schlüssel ist widerrufen, abgelaufen oder schon erneuert; legen Sie einen neuen an" },
  },
  member_not_found: {
    status: 404,
    error: { en: "Member not found", tr: "Üye bulunamadı", es: "Miembro no encontrado", fr: "Membre introuvable", de: "Mitglied nicht gefunden" },
    message: { en: "The organization has no such member", tr: "Kuruluşta böyle bir üye yok", es: "La organización no tiene ese miembro", fr: "L'organisation n'a pas ce membre", de: "Die Organisation hat kein solches Mitglied" },
  },
  member_exists: {
    status: 409,
    error: { en: "Already a member", tr: "Zaten üye", es: "Ya es miembro", fr: "Déjà membre", de: "Bereits Mitglied" },
    message: { en: "This user is a member already; change the role instead", tr: "Bu kullanıcı zaten üye; bunun yerine rolünü değiştirin", es: "Este usuario ya es miembro; cambie su rol", fr: "Cet utilisateur est déjà membre ; changez son rôle", de: "Dieser Nutzer ist schon Mitglied; ändern Sie stattdessen die Rolle" },
  },
  user_mismatch: {
    status: 409,
    error: { en: "Another user has this ID or e-mail address", tr: "Bu kimlik ya da e-posta adresi başka bir kullanıcıya ait", es: "Otro usuario tiene este ID o correo", fr: "Un autre utilisateur a cet ID ou cette adresse e-mail", de: "Ein anderer Nutzer hat diese ID oder E-Mail-Adresse" },
    message: { en: "A user is one person: the same ID has one e-mail address, and an address one ID", tr: "Bir kullanıcı tek kişidir: bir kimliğin bir e-posta adresi, bir adresin bir kimliği olur", es: "Un usuario es una sola persona: un ID tiene un correo y un correo un ID", fr: "Un utilisateur est une seule personne : un ID a une adresse et une adresse un ID", de: "Ein Nutzer ist eine Person: zu einer ID gehört eine E-Mail-Adresse und umgekehrt" },
  },
  last_owner: {
    status: 409,
    error: { en: "Last owner", tr: "Son sahip", es: "Último propietario", fr: "Dernier propriétaire", de: "Letzter Eigentümer" },
    message: { en: "An organization keeps at least one owner; make somebody else an owner first", tr: "Bir kuruluşun en az bir sahibi olur; önce başka birini sahip yapın", es: "Una organización conserva al menos un propietario; nombre antes a otro", fr: "Une organisation garde au moins un propriétaire ; nommez-en d'abord un autre", de: "Eine Organisation behält mindestens einen Eigentümer; ernennen Sie zuerst jemand anderen" },
  },
  credential_not_found: {
    status: 404,
    error: { en: "Credential not found", tr: "Kimlik bilgisi bulunamadı", es: "Credencial no encontrada", fr: "Identifiant introuvable", de: "Zugangsdaten nicht gefunden" },
    message: { en: "The credential does not exist", tr: "Böyle bir kimlik bilgisi yok", es: "No existe esa credencial", fr: "Cet identifiant n'existe pas", de: "Diese Zugangsdaten gibt es nicht" },
  },
  variables_changed: {
    status: 409,
    error: { en: "Variables have changed", tr: "Değişkenler değişti", es: "Las variables han cambiado", fr: "Les variables ont changé", de: "Variablen haben sich geändert" },
    message: { en: "Somebody else has set the variables meanwhile; version {version} is in force now: read them again", tr: "Bu arada başka biri değişkenleri değiştirdi; şimdi {version} sürümü geçerli: onları yeniden okuyun", es: "Alguien ha cambiado las variables entretanto; ahora rige la versión {version}: vuelva a leerlas", fr: "Quelqu'un a modifié les variables entre-temps ; la version {version} est en vigueur : relisez-les", de: "Jemand anderes hat die Variablen inzwischen gesetzt; jetzt gilt die Version {version}: lesen Sie sie erneut" },
  },
  variables_not_found: {
    status: 404,
    error: { en: "Variables not found", tr: "Değişkenler bulunamadı", es: "Variables no encontradas", fr: "Variables introuvables", de: "Variablen nicht gefunden" },
    message: { en: "There is no version {version} of the variables", tr: "Değişkenlerin {version} sürümü yok", es: "No existe la versión {version} de las variables", fr: "Il n'existe pas de version {version} des variables", de: "Es gibt keine Version {version} der Variablen" },
  },
  event_not_found: {
    status: 404,
    error: { en: "Event not found", tr: "Olay bulunamadı", es: "Evento no encontrado", fr: "Événement introuvable", de: "Ereignis nicht gefunden" },
    message: { en: "There is no event {eventId}, or it is too old to be kept", tr: "{eventId} olayı yok ya da saklanamayacak kadar eski", es: "No existe el evento {eventId} o es demasiado antiguo para conservarse", fr: "L'événement {eventId} n'existe pas ou est trop ancien pour être conservé", de: "Es gibt kein Ereignis {eventId}, oder es ist zu alt, um noch aufgehoben zu sein" },
  },
  event_endpoint_not_found: {
    status: 404,
    error: { en: "Event endpoint not found", tr: "Olay uç noktası bulunamadı", es: "Destino de eventos no encontrado", fr: "Point de terminaison introuvable", de: "Ereignis-Endpunkt nicht gefunden" },
    message: { en: "The event endpoint does not exist", tr: "Böyle bir olay uç noktası yok", es: "No existe ese destino de eventos", fr: "Ce point de terminaison n'existe pas", de: "Diesen Ereignis-Endpunkt gibt es nicht" },
  },
  secret_still_valid: {
    status: 409,
    error: { en: "Previous secret still valid", tr: "Önceki gizli anahtar hâlâ geçerli", es: "El secreto anterior sigue siendo válido", fr: "Le secret précédent est encore valable", de: "Vorheriges Geheimnis noch gültig" },
    message: { en: "Receivers may not have the current secret yet; wait for the end of the overlap, or set force", tr: "Alıcılarda güncel gizli anahtar henüz olmayabilir; örtüşme süresinin bitmesini bekleyin ya da force kullanın", es: "Los receptores quizá aún no tengan el secreto actual; espere al fin del solapamiento o use force", fr: "Les destinataires n'ont peut-être pas encore le secret actuel ; attendez la fin du recouvrement ou utilisez force", de: "Empfänger haben das aktuelle Geheimnis vielleicht noch nicht; warten Sie das Ende der Überlappung ab oder setzen Sie force" },
  },
  webhook_not_found: {
    status: 404,
    error: { en: "Webhook not found", tr: "Webhook bulunamadı", es: "Webhook no encontrado", fr: "Webhook introuvable", de: "Webhook nicht gefunden" },
    message: { en: "The flow has no webhook; its document creates one", tr: "Akışın webhook'u yok; belgesi oluşturur", es: "El flujo no tiene webhook; su documento lo crea", fr: "Le flux n'a pas de webhook ; son document en crée un", de: "Der Ablauf hat keinen Webhook; sein Dokument legt einen an" },
  },
  credits_unlimited: {
    status: 409,
    error: { en: "Credits are unlimited", tr: "Krediler sınırsız", es: "Los créditos son ilimitados", fr: "Les crédits sont illimités", de: "Guthaben ist unbegrenzt" },
    message: { en: "The organization has no limit of credits; its document sets one", tr: "Kuruluşun kredi sınırı yok; belgesi belirler", es: "La organización no tiene límite de créditos; su documento lo fija", fr: "L'organisation n'a pas de limite de crédits ; son document en fixe une", de: "Die Organisation hat kein begrenztes Guthaben; ihr Dokument legt es fest" },
  },
  queue_item_not_found: {
    status: 404,
    error: { en: "Queue item not found", tr: "Kuyruk öğesi bulunamadı", es: "Elemento de la cola no encontrado", fr: "Élément de la file introuvable", de: "Eintrag der Warteschlange nicht gefunden" },
    message: { en: "The queue item does not exist", tr: "Böyle bir kuyruk öğesi yok", es: "No existe ese elemento en la cola", fr: "Cet élément de la file n'existe pas", de: "Diesen Eintrag gibt es nicht" },
  },
  session_not_found: {
    status: 404,
    error: { en: "Session not found", tr: "Oturum bulunamadı", es: "Sesión no encontrada", fr: "Session introuvable", de: "Sitzung nicht gefunden" },
    message: { en: "The session does not exist", tr: "Böyle bir oturum yok", es: "No existe esa sesión", fr: "Cette session n'existe pas", de: "Diese Sitzung gibt es nicht" },
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
  documents_changed: {
    status: 409,
    error: { en: "Changed by somebody else", tr: "Başka biri değiştirdi", es: "Cambiado por otra persona", fr: "Modifié par quelqu'un d'autre", de: "Von jemand anderem geändert" },
    message: { en: "Some of it has changed meanwhile, so nothing was applied; `data.documents` says what would change now", tr: "Bu sırada bir kısmı değişti, bu yüzden hiçbir şey uygulanmadı; şimdi neyin değişeceği `data.documents` içindedir", es: "Una parte ha cambiado entretanto, así que no se aplicó nada; `data.documents` dice qué cambiaría ahora", fr: "Une partie a changé entre-temps, rien n'a donc été appliqué ; `data.documents` dit ce qui changerait maintenant", de: "Ein Teil hat sich inzwischen geändert, deshalb wurde nichts übernommen; `data.documents` sagt, was sich jetzt ändern würde" },
  },
  draft_changed: {
    status: 409,
    error: { en: "Draft has changed", tr: "Taslak değişti", es: "El borrador ha cambiado", fr: "Le brouillon a changé", de: "Der Entwurf hat sich geändert" },
    message: { en: "The revision is {revision} now; read the draft again and repeat your change", tr: "Sürüm şimdi {revision}; taslağı yeniden okuyun ve değişikliğinizi tekrarlayın", es: "La revisión es ahora {revision}; lea de nuevo el borrador y repita su cambio", fr: "La révision est maintenant {revision} ; relisez le brouillon et refaites votre modification", de: "Die Revision ist jetzt {revision}; lesen Sie den Entwurf neu und wiederholen Sie die Änderung" },
  },
  flow_id_taken: {
    status: 409,
    error: { en: "Flow id is taken", tr: "Akış kimliği kullanımda", es: "El id del flujo está en uso", fr: "L'id du flux est déjà pris", de: "Die Id des Ablaufs ist vergeben" },
    message: { en: "There is, or was, a flow with the id {flowId}; choose another one, or leave it out", tr: "{flowId} kimliğiyle bir akış var ya da vardı; başka bir kimlik seçin ya da boş bırakın", es: "Hay o hubo un flujo con el id {flowId}; elija otro o no lo indique", fr: "Un flux avec l'id {flowId} existe ou a existé ; choisissez-en un autre ou laissez-le vide", de: "Es gibt oder gab einen Ablauf mit der Id {flowId}; wählen Sie eine andere, oder lassen Sie sie weg" },
  },
  flow_passive: {
    status: 409,
    error: { en: "Flow is passive", tr: "Akış pasif", es: "El flujo está pasivo", fr: "Le flux est passif", de: "Ablauf ist passiv" },
    message: { en: "The flow is paused and does not accept webhook calls", tr: "Akış duraklatıldı ve webhook ile başlatılamaz", es: "El flujo está en pausa y no acepta inicios por webhook", fr: "Le flux est en pause et n'accepte pas de démarrage par webhook", de: "Der Ablauf ist angehalten und nimmt keine Webhook-Starts an" },
  },
  agent_passive: {
    status: 409,
    error: { en: "Agent is passive", tr: "Ajan pasif", es: "El agente está pasivo", fr: "L'agent est passif", de: "Agent ist passiv" },
    message: { en: "The agent is paused and does not accept messages", tr: "Ajan duraklatıldı ve mesaj almıyor", es: "El agente está en pausa y no acepta mensajes", fr: "L'agent est en pause et n'accepte pas de messages", de: "Der Agent ist angehalten und nimmt keine Nachrichten an" },
  },
  session_busy: {
    status: 409,
    error: { en: "Session busy", tr: "Oturum meşgul", es: "Sesión ocupada", fr: "Session occupée", de: "Sitzung beschäftigt" },
    message: { en: "Too many messages are waiting in this session; try again after the next reply", tr: "Bu oturumda çok fazla mesaj bekliyor; bir yanıttan sonra tekrar deneyin", es: "Hay demasiados mensajes en espera; inténtelo tras una respuesta", fr: "Trop de messages attendent dans cette session ; réessayez après une réponse", de: "In dieser Sitzung warten zu viele Nachrichten; nach einer Antwort erneut versuchen" },
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
  queue_limit_reached: {
    status: 429,
    error: { en: "Queue limit reached", tr: "Kuyruk sınırına ulaşıldı", es: "Límite de la cola alcanzado", fr: "Limite de la file atteinte", de: "Grenze der Warteschlange erreicht" },
    message: { en: "Too many runs of this organization are already waiting", tr: "Bu kuruluşun çok fazla bekleyen çalıştırması var", es: "Ya hay demasiadas ejecuciones en espera de esta organización", fr: "Trop d'exécutions de cette organisation attendent déjà", de: "Es warten schon zu viele Läufe dieser Organisation" },
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

export type ErrorCode = keyof typeof errorCatalogue;
