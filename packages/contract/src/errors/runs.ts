import type { ErrorEntry } from "./entry.ts";

// prettier-ignore
/** Of runs and the queue. */
export const runErrors = {
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
  queue_item_not_found: {
    status: 404,
    error: { en: "Queue item not found", tr: "Kuyruk öğesi bulunamadı", es: "Elemento de la cola no encontrado", fr: "Élément de la file introuvable", de: "Eintrag der Warteschlange nicht gefunden" },
    message: { en: "The queue item does not exist", tr: "Böyle bir kuyruk öğesi yok", es: "No existe ese elemento en la cola", fr: "Cet élément de la file n'existe pas", de: "Diesen Eintrag gibt es nicht" },
  },
  queue_limit_reached: {
    status: 429,
    error: { en: "Queue limit reached", tr: "Kuyruk sınırına ulaşıldı", es: "Límite de la cola alcanzado", fr: "Limite de la file atteinte", de: "Grenze der Warteschlange erreicht" },
    message: { en: "Too many runs of this organization are already waiting", tr: "Bu kuruluşun çok fazla bekleyen çalıştırması var", es: "Ya hay demasiadas ejecuciones en espera de esta organización", fr: "Trop d'exécutions de cette organisation attendent déjà", de: "Es warten schon zu viele Läufe dieser Organisation" },
  },
} satisfies Record<string, ErrorEntry>;
