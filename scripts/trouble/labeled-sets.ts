import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ruledUnease, sentencesOf } from '../../server/providers/ai/offline/concerns.ts';
import { labeledMoods } from '../../server/providers/ai/offline/samples/labeled-notes.ts';
import { troubleFeatures, wordsOfLine } from '../../server/providers/ai/offline/trouble-words.ts';
import { readUtterances } from '../../server/providers/ai/offline/utterances.ts';

export interface LabeledFeatures {
  /** Notes of one author, or written in one round. */
  set: string;
  language: 'en' | 'de';
  isUnhappy: boolean;
  features: ReadonlyMap<string, number>;
}

const folder = join(import.meta.dirname, '../../bench/notes');
/** The former judges. A set that judges is not among them. */
const judges = {
  'first judge': 'judged.json',
  'second judge': 'second-judge.json',
  'third judge': 'third-judge.json',
};

interface Judged {
  language: string;
  notes: string;
  customer: string;
}

/** Returns all notes that the analyzer is developed on, as it sees them. */
export function labeledSets(): LabeledFeatures[] {
  const judged = Object.entries(judges).flatMap(([set, file]) => {
    const read = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const notes: Judged[] = Array.isArray(read) ? read : read.notes;
    return notes.flatMap(({ language, notes: text, customer }) =>
      language === 'en' || language === 'de'
        ? [{ set, language, text, isUnhappy: customer === 'unhappy' } as const]
        : [],
    );
  });
  const ours = labeledMoods().map(({ round, ...mood }) => ({ set: round, ...mood }));
  return [...judged, ...ours].map(({ set, language, text, isUnhappy }) => {
    const utterances = readUtterances(text);
    const lines = utterances.map(({ body }) => wordsOfLine(sentencesOf(body), language));
    const ruled = ruledUnease(utterances, language);
    return { set, language, isUnhappy, features: troubleFeatures(lines, language, ruled) };
  });
}
