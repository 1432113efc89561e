const longestName = 80;
const graphemes = new Intl.Segmenter();
/** An emoji may join its parts with characters that are removed elsewhere. */
const emoji = /^\p{RGI_Emoji}$/v;
/** Characters without a glyph, which make two names look the same or reverse the direction of one. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Returns a guest's own name as others see it: in NFC, at most 80 UTF-16 units and never cut within
 * a character, without control and format characters, whitespace collapsed. "Guest" if no visible
 * character is left.
 */
export function guestName(given: string | undefined): string {
  const whole = (given ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ');
  const shown = whole.search(invisible) < 0 ? whole : withoutInvisible(whole);
  return cut(shown.replace(/\s+/gu, ' ').trim().normalize('NFC')) || 'Guest';
}

function withoutInvisible(name: string): string {
  let seen = '';
  for (const { segment } of graphemes.segment(name)) {
    seen += emoji.test(segment) ? segment : segment.replace(invisible, '');
  }
  return seen;
}

function cut(text: string): string {
  if (text.length <= longestName) return text;
  let name = '';
  for (const { segment } of graphemes.segment(text)) {
    if (name.length + segment.length > longestName) break;
    name += segment;
  }
  return name.trim();
}
