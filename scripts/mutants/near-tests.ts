import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The projects of vitest.config.ts whose tests find mutants, the fastest first. */
export type Project = 'unit' | 'server';

/** The tests of one run of Stryker. */
export interface Tests {
  project: Project;
  files: string[];
}

/**
 * How many tests try the mutants of one file. More find hardly any, and a mutant that runs while a
 * module loads, as contracts do, is tried with each.
 */
export const mostTests: Record<Project, number> = { unit: 5, server: 5 };

/** The noun's folder, such as `domain/scim`, or the root, such as `domain`, of a file that has none. */
export const nounOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');

const farthest = Number.POSITIVE_INFINITY;
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const projectOf = (test: string): Project => (test.startsWith('server/') ? 'server' : 'unit');

/**
 * Returns the tests of `project` that concern `file`, the nearest first. Near are tests that import
 * it, over as few files as possible, and in the server those beside a file that does: most tests of
 * the server import the whole server and send requests. `likeness` brings a test nearer.
 */
export function nearTests(project: Project, file: string): string[] {
  const distances = distancesFrom(file);
  const nearestIn = new Map<string, number>();
  for (const [importer, distance] of project === 'server' ? distances : []) {
    const folder = dirname(importer);
    nearestIn.set(folder, Math.min(nearestIn.get(folder) ?? farthest, distance + 1));
  }
  const ranked = graph().tests.flatMap((test) => {
    if (projectOf(test) !== project) return [];
    const beside = nearestIn.get(dirname(test)) ?? farthest;
    const distance = Math.min(distances.get(test) ?? farthest, beside);
    return distance < farthest ? [{ test, rank: distance - likeness(test, file) }] : [];
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ test }) => test);
}

/** Returns the tests for the mutants of these files: of each, the nearest. */
export function testsOf(project: Project, files: readonly string[]): string[] {
  const chosen = files.flatMap((file) => nearTests(project, file).slice(0, mostTests[project]));
  return [...new Set(chosen)].sort();
}

/**
 * Counts 2 for the same noun, up to 2 for words that the names have in common, and 1 if the test
 * names what the file exports.
 */
function likeness(test: string, file: string): number {
  const words = (of: string) => new Set(basename(of).replace(/\..*$/, '').split('-'));
  const [ofTest, ofFile] = [words(test), words(file)];
  const common = [...ofTest].filter((word) => ofFile.has(word)).length;
  const sameNoun = nounOf(test).split('/')[1] === nounOf(file).split('/')[1];
  const exported = graph().exported.get(file) ?? [];
  const text = graph().texts.get(test) ?? '';
  return (
    (sameNoun ? 2 : 0) +
    (2 * common) / Math.max(ofTest.size, ofFile.size) +
    (exported.some((name) => text.includes(name)) ? 1 : 0)
  );
}

/** How many imports each file is from `file`. What imports a test's helper is as far as no file. */
function distancesFrom(file: string): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [reached, distance] of distances) {
    if (reached.includes('/testing/')) continue;
    for (const importer of graph().importers.get(reached) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

interface Graph {
  tests: string[];
  /** What each test says. */
  texts: Map<string, string>;
  importers: Map<string, string[]>;
  exported: Map<string, string[]>;
}
let read: Graph | null = null;

function graph(): Graph {
  read ??= readGraph();
  return read;
}

const someImport = /(?:from|import|import\()\s*['"]([#.][^'"]+)['"]/g;
const someExport = /^export (?:async )?(?:function|const|class) (\w+)/gm;

function readGraph(): Graph {
  const files = globSync('{domain,server,web,scripts,sdk}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const importers = new Map<string, string[]>();
  const exported = new Map<string, string[]>();
  for (const [file, text] of texts) {
    for (const [, name = ''] of text.matchAll(someImport)) {
      const imported = name.startsWith('#') ? name.slice(1) : join(dirname(file), name);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
    exported.set(
      file,
      [...text.matchAll(someExport)].map(([, name = '']) => name),
    );
  }
  return { tests: files.filter(isTest), texts, importers, exported };
}
