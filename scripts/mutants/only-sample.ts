import { readFileSync } from 'node:fs';
import { type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { keyOf } from './sample.ts';

/** The file with the chosen keys, an array. The environment is what reaches Stryker's processes. */
const file = process.env.MUTANTS_SAMPLE ?? '';
const chosen = new Set<string>(file === '' ? [] : JSON.parse(readFileSync(file, 'utf8')));

function check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
  const answers = mutants.map((mutant): [string, CheckResult] => {
    const isChosen = chosen.has(keyOf(mutant, process.cwd()));
    return [
      mutant.id,
      isChosen
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not in the sample' },
    ];
  });
  return Promise.resolve(Object.fromEntries(answers));
}

/**
 * A checker of Stryker that lets only the sample pass. Stryker itself chooses places, and a place has
 * several mutants. What it refuses is not part of the score.
 */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Checker, 'only-sample', {
    init: () => Promise.resolve(),
    check,
    group: (mutants) => Promise.resolve([mutants.map(({ id }) => id)]),
  }),
];
