/** A piece of a text; `href` is null unless the piece is a link. */
export interface TextPiece {
  text: string;
  href: string | null;
  /** Where the piece begins in the text. */
  at: number;
}

/** The rest of a text with more links stays plain. */
const mostLinks = 50;
// Without the format and control characters (\p{C}) that could show an address in another order.
const webAddress = /https?:\/\/[^\s<>"'`\p{C}]+/giu;

/** Returns the text in pieces, with its http and https addresses as links. Takes time linear in its length. */
export function findLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  let links = 0;
  for (const match of text.matchAll(webAddress)) {
    if (links === mostLinks) break;
    const address = withoutPunctuation(match[0]);
    const href = hrefOf(address);
    if (href === null) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), href: null, at: end });
    pieces.push({ text: address, href, at: match.index });
    end = match.index + address.length;
    links += 1;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), href: null, at: end });
  return pieces;
}

/** Drops punctuation of the sentence at the end of an address, but keeps brackets that it opens itself. */
function withoutPunctuation(address: string): string {
  let unopened = address.split(')').length - address.split('(').length;
  let length = address.length;
  while (length > 0) {
    const last = address.charAt(length - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!'.,;:!?…]}*_“”’'.includes(last)) break;
    length -= 1;
  }
  return address.slice(0, length);
}

/** Refuses addresses with a user name, which may look like another site: `https://bank.example@evil.example`. */
function hrefOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, username, password, href } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' ? href : null;
}
