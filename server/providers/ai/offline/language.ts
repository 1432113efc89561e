import model from 'wink-eng-lite-web-model';
import winkNlp, { type ItemSentence } from 'wink-nlp';

export interface Token {
  /** As written. */
  text: string;
  /** In lower case. A contraction yields whole words: `will` `not` for won't. */
  word: string;
  /** Universal part of speech: VERB, ADJ … */
  pos: string;
}
export interface Sentence {
  tokens: readonly Token[];
}

// Loading takes 0.1 s and 60 MB, so only the worker's modules import this file.
const nlp = winkNlp(model, ['sbd', 'pos']);
const { its } = nlp;
/** Speech without punctuation is a single sentence, and the rules look no further than this anyway. */
const longestSentence = 60;

/** Returns the sentences of one utterance, with words and parts of speech. */
export function readSentences(text: string): Sentence[] {
  const found: Sentence[] = [];
  nlp
    .readDoc(spelledOut(text))
    .sentences()
    .each((sentence: ItemSentence) => {
      const tokens = sentence.tokens();
      const pos = tokens.out(its.pos);
      const all = tokens.out().map((text, at) => ({
        text,
        word: wordOf(text),
        pos: pos[at] ?? 'X',
      }));
      for (let at = 0; at < all.length; at += longestSentence) {
        found.push({ tokens: mended(all.slice(at, at + longestSentence)) });
      }
    });
  return found;
}

const spoken: [RegExp, string][] = [
  // No real word is this long, and the model takes quadratic time for one.
  [/(\S{60})\S+/g, '$1'],
  [/[‘’ʼ`´]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/\bi(?=$|[\s,.!?]|'(?:m|ll|ve|d)\b)/g, 'I'],
  [/\b(ca|do|wo|does|did|is|are|was|were|would|could|should|have|has|had|ai)nt\b/gi, "$1n't"],
  [/\bgonna\b/gi, 'going to'],
  [/\bwanna\b/gi, 'want to'],
  [/\bgotta\b/gi, 'got to'],
  [/\blemme\b/gi, 'let me'],
  [/\bgimme\b/gi, 'give me'],
  [/\bim\b(?= \w)/gi, "I'm"],
  [/\bive\b(?= \w)/gi, "I've"],
  // Not "well", which is a word of its own.
  [/\b(you|they)ll\b/gi, "$1'll"],
  [
    /\bill\b(?= (?:be|send|get|have|do|go|let|take|make|check|ask|call|follow|email|mail|write|look|try|see|set|talk|book|put|find|bring|update|add|run|give|share|just|also|probably|definitely)\b)/gi,
    "I'll",
  ],
  [/\bI'm\b/g, 'I am'],
  [/\b(?:um+|uh+|erm?|hmm+|mm+)\b,?/gi, ' '],
];

/** Normalizes informal spelling to the one that the model expects. */
function spelledOut(text: string): string {
  return spoken.reduce((spelled, [pattern, by]) => spelled.replace(pattern, by), text);
}

const contracted: Record<string, string> = {
  "n't": 'not',
  nt: 'not',
  "'ll": 'will',
  "'m": 'am',
  "'re": 'are',
  "'ve": 'have',
};
const wordOf = (text: string) => contracted[text.toLowerCase()] ?? text.toLowerCase();

/** `ca` and `wo` are the first halves of can't and won't. */
function mended(tokens: Token[]): Token[] {
  return tokens.map((token, at) => {
    if (tokens[at + 1]?.word !== 'not') return token;
    if (token.word === 'ca') return { ...token, word: 'can' };
    if (token.word === 'wo') return { ...token, word: 'will' };
    return token;
  });
}
