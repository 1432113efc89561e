import { expect, test } from 'vitest';
import { z } from 'zod';
import { planList } from '#domain/billing/plans.ts';
import * as german from './de/app.ts';
import * as germanMeeting from './de/meet.ts';
import germanLater from './de/meet-later.json';
import germanPublic from './de/public.json';
import germanRecording from './de/recording.json';
import { administration } from './en/administration.ts';
import ai from './en/ai.json';
import analytics from './en/analytics.json';
import api from './en/api.json';
import * as english from './en/app.ts';
import assistant from './en/assistant.json';
import call from './en/call.json';
import crm from './en/crm.json';
import embedding from './en/embedding.json';
import invitation from './en/invitation.json';
import links from './en/links.json';
import englishMeeting from './en/meet.json';
import englishLater from './en/meet-later.json';
import notifications from './en/notifications.json';
import payment from './en/payment.json';
import player from './en/player.json';
import profile from './en/profile.json';
import englishPublic from './en/public.json';
import englishRecording from './en/recording.json';
import search from './en/search.json';
import security from './en/security.json';
import transcript from './en/transcript.json';
import webhooks from './en/webhooks.json';

/** Every text under its dotted key. */
function flat(tree: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + name, value]] : [...flat(value, `${prefix}${name}.`)],
    ),
  );
}
const keysOf = (texts: Map<string, string>) => [...texts.keys()].sort();
const missing = (from: Map<string, string>, wanted: Map<string, string>) =>
  keysOf(wanted).filter((key) => !from.has(key));
const placeholders = (text = '') =>
  [...new Set(text.match(/\{\{[^}]*\}\}|\{hotkey\}/g) ?? [])].sort().join(' ');

const pairs = [
  {
    page: 'app',
    en: flat({
      ...english.catalog,
      ...administration,
      ai,
      analytics,
      call,
      assistant,
      invitation,
      links,
      notifications,
      payment,
      player,
      profile,
      search,
      security,
      transcript,
      crm,
      webhooks,
      api,
      embedding,
    }),
    de: flat(german.catalog),
  },
  { page: 'public pages', en: flat(englishPublic), de: flat(germanPublic) },
  { page: 'later parts of the meeting page', en: flat(englishLater), de: flat(germanLater) },
  { page: 'meeting page about recordings', en: flat(englishRecording), de: flat(germanRecording) },
  { page: 'meeting page', en: flat(englishMeeting), de: flat(germanMeeting.texts) },
];

test.each(pairs)(
  'every text of the $page exists in both languages, including plurals',
  ({ en, de }) => {
    expect({ german: missing(de, en), english: missing(en, de) }).toEqual({
      german: [],
      english: [],
    });
  },
);

test.each(pairs)('both languages of the $page use the same placeholders', ({ en, de }) => {
  const differing = keysOf(en).filter(
    (key) => placeholders(en.get(key)) !== placeholders(de.get(key)),
  );
  expect(differing).toEqual([]);
});

test.each(pairs)('no text of the $page is empty, and plurals have both forms', ({ en, de }) => {
  for (const texts of [en, de]) {
    expect(keysOf(texts).filter((key) => texts.get(key)?.trim() === '')).toEqual([]);
    const alone = keysOf(texts).filter(
      (key) =>
        (key.endsWith('_one') && !texts.has(key.replace(/_one$/, '_other'))) ||
        (key.endsWith('_other') && !texts.has(key.replace(/_other$/, '_one'))),
    );
    expect(alone, 'plurals with one form').toEqual([]);
  }
});

const sources = import.meta.glob<string>(
  ['../../{server,domain}/**/*.ts', '!**/*.test.ts', '!**/testing/**'],
  { query: '?raw', import: 'default', eager: true },
);
const contracts = import.meta.glob<object>('../../domain/*/contract.ts', { eager: true });

test('every refusal of the server has a German text for its code', () => {
  const thrown = /new DomainError\(\s*'(\w+)',\s*'(\w+)'|\binvalid\(\s*'(\w+)'/g;
  const codes = Object.values(sources).flatMap((source) =>
    [...source.matchAll(thrown)].map((found) => found[2] ?? found[3] ?? ''),
  );
  expect(codes.length).toBeGreaterThan(20);
  // Neither is shown: one is the specification's Unauthorized, the other repeats a field's message.
  const unsaid = new Set(['not_signed_in', 'invalid_input']);
  const untranslated = [...new Set(codes)].filter(
    (code) => !unsaid.has(code) && !(code in german.refusals),
  );
  expect(untranslated, 'add them to web/texts/de/refusals.json').toEqual([]);
});

/** Returns the messages of a schema, found by parsing invalid values. */
function sentencesOf(schema: z.ZodType): string[] {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const wrong = [
    undefined,
    0,
    -1,
    0.5,
    99,
    '',
    'x',
    'x'.repeat(2_000_000),
    [],
    [{}],
    [{ text: '' }],
  ];
  const given = [{}, ...fields.flatMap((field) => wrong.map((value) => ({ [field]: value })))];
  return given.flatMap(
    (value) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [],
  );
}

test('every message of a contract about a field has a German translation', () => {
  const bodies = Object.values(contracts)
    .flatMap((module): unknown[] => Object.values(module))
    .flatMap((value) =>
      typeof value === 'object' &&
      value !== null &&
      'body' in value &&
      value.body instanceof z.ZodType
        ? [value.body]
        : [],
    );
  expect(bodies.length).toBeGreaterThan(8);
  const said = new Set(bodies.flatMap(sentencesOf));
  expect(said).toContain('Topic is required');
  // Zod's own messages, for programs: no form can cause them.
  const ofZod = /^(Invalid (input|option|UUID|ISO)|Too (big|small))/;
  const untranslated = [...said].filter(
    (sentence) => !ofZod.test(sentence) && !(sentence in german.validation),
  );
  expect(untranslated, 'add them to web/texts/de/validation.json').toEqual([]);
});

test('the English public pages describe the plans in the words of the plan table', () => {
  const { contents } = englishPublic.plans;
  for (const plan of planList)
    for (const { id, text } of plan.contents) expect(contents[id]).toBe(text);
});
