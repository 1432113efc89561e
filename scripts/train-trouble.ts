import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labeledSets } from './trouble/labeled-sets.ts';
import { rotate, train } from './trouble/training.ts';

/**
 * `node scripts/train-trouble.ts`: trains the weights of the offline analyzer on all labeled notes, writes them, and
 * prints how each set of notes does with weights of the others. Needed after a change of notes, rules, or classes.
 */
const file = join(import.meta.dirname, '../server/providers/ai/offline/words/trouble.tsv');
const least = 0.02;

const notes = labeledSets();
const lines = [...train(notes)]
  .filter(([, weight]) => Math.abs(weight) >= least)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, weight]) => `${name}\t${weight.toFixed(3)}`);
writeFileSync(
  file,
  `# Learned from labeled notes by scripts/train-trouble.ts: a feature of a note, and what it adds to its trouble.\n${lines.join('\n')}\n`,
);
console.log(`${lines.length} weights from ${notes.length} notes.`);
for (const by of [
  undefined,
  ({ set, language }: { set: string; language: string }) => `${set}, ${language}`,
]) {
  console.table(
    rotate(notes, by).map(({ set, unhappy, noticed, others, flagged }) => ({
      'set left out': set,
      'unhappy noticed': `${noticed} of ${unhappy} (${Math.round((100 * noticed) / unhappy)} %)`,
      'others flagged': `${flagged} of ${others} (${Math.round((100 * flagged) / others)} %)`,
    })),
  );
}
