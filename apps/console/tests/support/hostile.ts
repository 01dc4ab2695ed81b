/** Markup that would run, a control character, marks that turn the direction of writing, and nowhere to break a line. */
export const HOSTILE = `<img src=x onerror="globalThis.broken=1">\u202Egnp.exe\u0007\u2066 ${"w".repeat(300)}`;

/** The same where names are short and control characters refused. */
export const HOSTILE_NAME = `<b onclick="globalThis.broken=3">\u202Egnp.exe\u2066${"w".repeat(60)}`;
