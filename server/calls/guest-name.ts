const longestName = 80;
const graphemes = new Intl.Segmenter();
/** Joins its parts by characters that cannot be seen elsewhere. */
const emoji = /^\p{RGI_Emoji}$/v;
/** What has no shape of its own, and so lets two names look the same or turns the direction of one. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * A guest's own name as others see it: in NFC, at most 80 UTF-16 units and never through the middle of
 * a character, without control and format characters, whitespace collapsed. "Guest" where nothing is
 * left to see.
 */
export function guestName(given: string | undefined): string {
  const whole = (given ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ');
  let seen = '';
  for (const { segment } of graphemes.segment(whole)) {
    seen += emoji.test(segment) ? segment : segment.replace(invisible, '');
  }
  return cut(seen.replace(/\s+/gu, ' ').trim().normalize('NFC')) || 'Guest';
}

function cut(text: string): string {
  let name = '';
  for (const { segment } of graphemes.segment(text)) {
    if (name.length + segment.length > longestName) break;
    name += segment;
  }
  return name.trim();
}
