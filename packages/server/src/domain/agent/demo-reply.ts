const MAX_QUOTE_LENGTH = 200;

/**
 * The reply of the built-in `demo` provider: offline, and the same for the same message. Words come with the space
 * that follows them, so that the pieces joined are the text.
 */
export function demoReply(message: string): string[] {
  const words = message.trim().split(/\s+/).filter(Boolean);
  const quote = shorten(words.join(" "));
  const said = quote === "" ? "You said nothing." : `You said: "${quote}" (${countOf(words.length)}).`;
  return `${said} I am the demo provider: I answer without a model.`.split(/(?<= )/);
}

function countOf(words: number): string {
  return words === 1 ? "1 word" : `${words} words`;
}

/** By code points, so that no character is cut in two. */
function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_QUOTE_LENGTH ? text : `${characters.slice(0, MAX_QUOTE_LENGTH).join("")}…`;
}
