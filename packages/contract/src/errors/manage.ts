import type { ErrorEntry } from "./entry.ts";

// prettier-ignore
/** Of keys, members and what else is managed. */
export const manageErrors = {
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
} satisfies Record<string, ErrorEntry>;
