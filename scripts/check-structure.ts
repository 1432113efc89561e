import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fail } from './fail.ts';
import { readRetiredTerms, retiredTermsIn } from './retired-terms.ts';

/**
 * Checks what the type checker cannot: which file imports which, and where files belong. Each
 * message says what to do instead. Run by `npm test`.
 */
const root = join(import.meta.dirname, '..');
const roots = ['domain', 'server', 'web', 'e2e', 'bench', 'test', 'scripts'];
const fileName = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.(ts|tsx|mjs|css)$/;
const importLine =
  /^\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/gm;

const retired = readRetiredTerms();

interface Source {
  path: string;
  imports: string[];
  /** The retired terms that it contains. */
  terms: string[];
  lines: number;
}

function read(): Source[] {
  return roots.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const text = readFileSync(file, 'utf8');
        const imports = [...text.matchAll(importLine)].map((found) =>
          resolved(file, found[1] ?? found[2] ?? found[3] ?? ''),
        );
        const path = relative(root, file);
        const terms = retiredTermsIn(path, text, retired);
        return { path, imports, terms, lines: text.split('\n').length - 1 };
      }),
  );
}

/** Returns files of this repository by their path from the root, packages by their name. */
function resolved(from: string, name: string): string {
  if (name.startsWith('#')) return name.slice(1);
  return name.startsWith('.') ? relative(root, join(dirname(from), name)) : name;
}

/** A file that is longer holds two things. */
const mostLines = 300;
const mostTestLines = 450;

const isOwn = (name: string) => roots.some((folder) => name.startsWith(`${folder}/`));
const rootOf = (path: string) => path.split('/')[0] ?? '';
const nounOf = (path: string) => path.split('/').slice(0, 2).join('/');
const isTest = (path: string) => /\.test\.tsx?$|\/testing\//.test(path);

const allowed: Record<string, string[]> = {
  domain: ['domain'],
  server: ['domain', 'server'],
  web: ['domain', 'web'],
};
const entries = /\/(routes|guest-routes|live|jobs)\.ts$/;

function complaintsOf(source: Source): string[] {
  const { path, imports, terms, lines } = source;
  const found = terms.map((what) => `${path}: ${what}`);
  const say = (what: string) => found.push(`${path}: ${what}`);
  const name = path.split('/').at(-1) ?? '';
  if (!fileName.test(name)) say('name it in kebab-case');
  const most = /\.test\.tsx?$/.test(name) ? mostTestLines : mostLines;
  if (lines > most) say(`${lines} lines: part what has grown into it (at most ${most})`);
  if (/^index\./.test(name)) say('no barrels: import from the file that has it');
  if (/\b(utils?|helpers?|managers?|misc|common)\b/.test(name) && path !== 'server/services.ts') {
    say('name it after what it does');
  }
  if (/^e2e\/[^/]+\.test\.ts$/.test(path) && name !== 'story.test.ts') {
    say('no runner takes it here: one page goes to e2e/pages, several browsers to e2e/calls');
  }
  for (const target of imports) {
    const to = allowed[rootOf(path)];
    if (to && isOwn(target) && !to.includes(rootOf(target))) {
      say(`${rootOf(path)} may import ${to.join(' and ')} alone, not ${target}`);
    }
    if (/^drizzle-orm/.test(target) && path !== 'server/platform/drizzle.ts') {
      say('import from server/platform/drizzle.ts: it loads Drizzle the cheap way');
    }
    if (/^@hookform\/resolvers/.test(target) && path !== 'web/platform/form-resolver.ts') {
      say(
        'use formResolver of web/platform/form-resolver.ts: it says what is wrong in German, too',
      );
    }
    if (
      path.startsWith('server/providers/') &&
      /^server\/(?!providers)/.test(target) &&
      !isTest(path)
    ) {
      say(`a provider imports domain alone; let the noun hand it what it needs, not ${target}`);
    }
    if (
      path.startsWith('server/platform/') &&
      /^server\/(?!platform|testing|config|services)/.test(target) &&
      !isTest(path)
    ) {
      say(
        `server/platform knows no feature: move this to server/http or to the feature, not ${target}`,
      );
    }
    if (path.startsWith('web/live/') && /^(web\/(?!live|storage)|react)/.test(target)) {
      say(`web/live is the connection alone: hand ${target} in`);
    }
    if (
      path.startsWith('web/media/') &&
      /^(web\/(?!media|live|storage)|react)/.test(target) &&
      !isTest(path)
    ) {
      say(`web/media carries audio and video, without a page: hand ${target} in`);
    }
    if (path.startsWith('web/storage/') && /^web\/(?!storage)/.test(target)) {
      say(`web/storage is imported by all of web, and imports none of it, not ${target}`);
    }
    if (/^web\/[^/]+\//.test(path) && /^web\/[^/]+\.tsx?$/.test(target) && !isTest(path)) {
      say(`${target} is the entry, which imports the features: use web/platform/preload-page.ts`);
    }
    if (path.startsWith('web/ui/') && /^web\/(?!ui|storage)/.test(target)) {
      say(`web/ui knows no noun: hand ${target} in as a prop`);
    }
    if (
      path.startsWith('web/meet/') &&
      /^web\/(?!meet|media|live|ui|texts|storage)/.test(target) &&
      !isTest(path)
    ) {
      say(`the meeting page loads only what a call needs, not ${target}`);
    }
    const otherNoun =
      /^server\/(?!platform|http|providers|testing)/.test(path) && nounOf(target) !== nounOf(path);
    if (
      otherNoun &&
      target.startsWith('server/') &&
      entries.test(target) &&
      path.split('/').length > 2
    ) {
      say(`${target} is a noun's edge: use its store.ts or a verb file`);
    }
  }
  return found;
}

/** Returns each circle of files, or of nouns, once. */
function circles(edges: Map<string, Set<string>>, what: string): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: string[]) => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      found.push(`${what} in a circle: ${[...trail.slice(at), node].join(' → ')}`);
      return;
    }
    if (done.has(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}

function edgesBy(sources: Source[], group: (path: string) => string | null) {
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const from = group(path);
    if (from === null) continue;
    const to = edges.get(from) ?? new Set<string>();
    for (const target of imports.filter(isOwn)) {
      const group2 = group(target);
      if (group2 !== null && group2 !== from) to.add(group2);
    }
    edges.set(from, to);
  }
  return edges;
}

/** Type-only circles are harmless at run time, so the check of files ignores them. */
const sources = read();
const noun = (path: string) =>
  /^(server)\/(?!platform|http|providers|testing|seed|migrations)[a-z-]+\//.test(path) &&
  !isTest(path)
    ? nounOf(path)
    : null;
const complaints = [
  ...sources.flatMap(complaintsOf),
  ...circles(edgesBy(sources, noun), 'nouns use each other'),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0)
  fail(new Error(`${complaints.length} things lie where they should not.`));
else console.log(`Structure: ${sources.length} files, nothing to say.`);
