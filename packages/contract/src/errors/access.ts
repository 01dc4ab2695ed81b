import type { ErrorEntry } from "./entry.ts";

// prettier-ignore
/** Of who may do what. */
export const accessErrors = {
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
  link_not_found: {
    status: 404,
    error: { en: "Link not found", tr: "Bağlantı bulunamadı", es: "Enlace no encontrado", fr: "Lien introuvable", de: "Link nicht gefunden" },
    message: { en: "The link is wrong, has expired or was revoked", tr: "Bağlantı yanlış, süresi dolmuş ya da iptal edilmiş", es: "El enlace es incorrecto, caducó o fue revocado", fr: "Le lien est faux, a expiré ou a été révoqué", de: "Der Link ist falsch, abgelaufen oder wurde widerrufen" },
  },
  session_not_found: {
    status: 404,
    error: { en: "Session not found", tr: "Oturum bulunamadı", es: "Sesión no encontrada", fr: "Session introuvable", de: "Sitzung nicht gefunden" },
    message: { en: "The session does not exist", tr: "Böyle bir oturum yok", es: "No existe esa sesión", fr: "Cette session n'existe pas", de: "Diese Sitzung gibt es nicht" },
  },
} satisfies Record<string, ErrorEntry>;
