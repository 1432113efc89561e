/**
 * Returns the longest start of a well-formed text whose JSON, quotes included, takes at most this
 * many bytes. A surrogate pair is kept whole or left out.
 */
export function startOfJson(text: string, mostBytes: number): string {
  let bytes = '""'.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    bytes += bytesOf(code);
    if (bytes > mostBytes) return text.slice(0, at);
    if (code > 0xffff) at += 1;
  }
  return text;
}

const shortEscapes = new Set([...'\b\t\n\f\r"\\'].map((character) => character.charCodeAt(0)));

/** Returns the bytes that `JSON.stringify` writes for the character, in UTF-8. */
function bytesOf(code: number): number {
  if (shortEscapes.has(code)) return 2;
  if (code < 0x20) return 6;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}
