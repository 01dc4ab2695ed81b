import type { ErrorEntry } from "./entry.ts";

// prettier-ignore
/** Of flows, agents and their documents. */
export const flowErrors = {
  webhook_disabled: {
    status: 403,
    error: { en: "Webhook disabled", tr: "Webhook devre dışı", es: "Webhook desactivado", fr: "Webhook désactivé", de: "Webhook abgeschaltet" },
    message: { en: "The webhook of this flow is disabled", tr: "Bu akışın webhook'u devre dışı", es: "El webhook de este flujo está desactivado", fr: "Le webhook de ce flux est désactivé", de: "Der Webhook dieses Ablaufs ist abgeschaltet" },
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
  agent_not_found: {
    status: 404,
    error: { en: "Agent not found", tr: "Ajan bulunamadı", es: "Agente no encontrado", fr: "Agent introuvable", de: "Agent nicht gefunden" },
    message: { en: "The agent does not exist", tr: "Böyle bir ajan yok", es: "No existe ese agente", fr: "Cet agent n'existe pas", de: "Diesen Agenten gibt es nicht" },
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
} satisfies Record<string, ErrorEntry>;
