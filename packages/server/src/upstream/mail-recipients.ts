import addressparser from "nodemailer/lib/addressparser";

/** How many addresses the mailer will find in these texts: it is the mailer's own parser that reads lists, groups and names. */
export function countRecipients(texts: readonly string[]): number {
  return texts.reduce((count, text) => count + addressparser(text, { flatten: true }).length, 0);
}
