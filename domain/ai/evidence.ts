import { z } from 'zod';
import { transcriptLineId } from '#domain/ids.ts';

/** What a statement about a call is based on: a second of the transcript, or a line of the notes. */
export const citation = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('line'),
    lineId: transcriptLineId,
    /** Milliseconds after the call's start. */
    startMs: z.int().min(0),
    speaker: z.string(),
    quote: z.string(),
  }),
  z.object({
    kind: z.literal('note'),
    /** From 1, in the stored notes; null where the line is not in them. */
    line: z.int().min(1).nullable(),
    quote: z.string(),
  }),
]);
export type Citation = z.infer<typeof citation>;

/** A line that an analyzer reads, and may cite by its `ref`. */
export interface CitableLine {
  ref: string;
  speaker: string | null;
  side: 'team' | 'customer' | null;
  text: string;
  source: CitableSource;
}
type CitableSource =
  | { kind: 'line'; lineId: z.infer<typeof transcriptLineId>; startMs: number }
  | { kind: 'note'; line: number | null };

/** What an analyzer claims to have read. */
export interface Claim {
  ref: string;
  quote: string;
}

/** Shorter quotations are in nearly every line. */
const fewestCharacters = 8;
const longestQuote = 300;
const mostCitations = 4;

export interface Proof {
  line: CitableLine;
  citation: Citation;
}

/**
 * Returns the claims that are true, one for each line: the line exists, and its text contains the quotation. Letters,
 * digits, and their order count; case, spaces, and punctuation do not.
 */
export function proofsOf(
  claims: readonly Claim[],
  lines: ReadonlyMap<string, CitableLine>,
): Proof[] {
  const proven = new Map<string, Proof>();
  for (const { ref, quote } of claims) {
    const line = lines.get(ref);
    if (line && !proven.has(ref) && isQuotedFrom(quote, line)) {
      proven.set(ref, { line, citation: citationOf(line, quote) });
    }
  }
  return [...proven.values()].slice(0, mostCitations);
}

function isQuotedFrom(quote: string, line: CitableLine): boolean {
  const said = plainLines.get(line) ?? plain(line.text);
  plainLines.set(line, said);
  const wanted = plain(quote);
  if (wanted === '') return false;
  return (
    said === wanted || (wanted.length >= fewestCharacters && ` ${said} `.includes(` ${wanted} `))
  );
}

/** A model may cite one line hundreds of times. */
const plainLines = new WeakMap<CitableLine, string>();

/** Words in any alphabet, parted by single spaces. */
const plain = (text: string) =>
  text
    // More marks in a row than any text has take quadratic time to bring into their order.
    .replace(/(\p{M}{30})\p{M}+/gu, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** Returns a citation of the line. */
export function citationOf({ source, speaker }: CitableLine, quoted: string): Citation {
  const quote = quoted.trim().slice(0, longestQuote);
  if (source.kind === 'note') return { ...source, quote };
  return { ...source, speaker: speaker ?? '', quote };
}

const address =
  /\b(?:[a-z][a-z\d+.-]{1,20}:\/\/|www\.)\S+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+|\b(?:[a-z\d-]{1,63}\.)+(?:com|net|org|io|dev|app|de|example|info|co)\b(?:\/\S*)?/giu;

/**
 * Returns a statement without the web and mail addresses in it, because a conversation could have an analyzer send
 * people there. Null if nothing is left to say.
 */
export function withoutAddresses(statement: string): string | null {
  const left = statement
    .replace(address, ' ')
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
  return /\p{L}{2}/u.test(left) ? left : null;
}
