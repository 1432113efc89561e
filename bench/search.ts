import { randomUUID } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import { orgId } from '#domain/ids.ts';
import { type FoundPage, searchQuery } from '#domain/search/contract.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { openDatabase, type Statement } from '#server/platform/database.ts';
import { migrateDatabase } from '#server/platform/migrate.ts';
import { shown } from '#server/search/find-hits.ts';
import { searchAllCalls } from '#server/search/search-calls.ts';
import { dice } from '#server/seed/random.ts';
import { makeManyCalls } from '#server/testing/many-calls.ts';
import { compared, type Measured, plain } from './report.ts';
import { quantile } from './statistics.ts';
import { databaseApart } from './support/database-apart.ts';
import { makeManyLines, rareWord, wordsOfLines } from './support/many-lines.ts';

const organizations = 20;
/** Of the million: the first organization has about half. */
const lines = { first: 512_000, others: 25_684 };
const linesOfCall = 100;
const rounds = 150;
const typos = 200;
const mostTimes = { word: 2, any: 12 };
const mostMs = 50;
const leastFound = 0.8 * typos;

/** Measures each kind of search in a million lines of 20 organizations against a page of the same hits by key. */
export async function search(): Promise<Measured[]> {
  const apart = await databaseApart();
  try {
    const owner = { connectionString: apart.url };
    const role = { name: `bench_${randomUUID().slice(0, 8)}`, password: randomUUID() };
    await migrateDatabase(owner, role);
    const client = new pg.Client(owner);
    await client.connect();
    const words = wordsOfLines();
    const org = await fill(client, owner, words);
    const address = new URL(apart.url);
    address.username = role.name;
    address.password = role.password;
    const database = openDatabase(
      { connectionString: address.href, max: 5 },
      pino({ enabled: false }),
    );
    const actor = { kind: 'system', name: 'bench', orgId: orgId.parse(org) } as const;
    const tenant = tenantOf(database, actor, null);
    try {
      return [
        ...(await ofKinds(tenant, client, words)),
        await ofTypos(tenant, words),
        ...(await ofWrites(client, org, words)),
      ];
    } finally {
      await database.close();
      await client.end();
    }
  } finally {
    await apart.close();
  }
}

/**
 * Fills the organizations, unless an earlier run has filled this database.
 * @returns the id of the first one
 */
async function fill(
  client: pg.Client,
  owner: pg.ClientConfig,
  words: readonly string[],
): Promise<string> {
  const earlier = await client.query<{ id: string }>(
    `select id from organizations where name = 'Search' order by id limit 1`,
  );
  const [org] = earlier.rows;
  if (org) return org.id;
  await client.query('set synchronous_commit = off');
  const filled = Array.from({ length: organizations }, (_, at) => ({
    orgId: `${String(at).padStart(8, '0')}-0000-7000-8000-${randomUUID().slice(-12)}`,
    lines: at === 0 ? lines.first : lines.others,
  }));
  for (const { orgId } of filled) {
    await client.query(`insert into organizations (id, name) values ($1, 'Search')`, [orgId]);
  }
  const calls = filled.map(({ orgId, lines }) => ({
    ...{ orgId, calls: Math.ceil(lines / linesOfCall) },
    ...{ rooms: 40, agents: 10, days: 400 },
  }));
  await makeManyCalls(owner, calls, () => {});
  for (const { orgId, lines } of filled) await makeManyLines(client, orgId, lines, words);
  await client.query('vacuum analyze');
  return filled[0]?.orgId ?? '';
}

/** What is searched in each round, by kind. */
async function kinds(client: pg.Client, org: string, words: readonly string[]) {
  const { rows } = await client.query<{ room_id: string; playbook_id: string; started_by: string }>(
    `select room_id, playbook_id, started_by from calls
      where org_id = $1 and playbook_id is not null order by id desc limit 1`,
    [org],
  );
  const [call] = rows;
  const phrases = await client.query<{ text: string }>(
    'select text from transcript_lines where org_id = $1 order by id limit 400',
    [org],
  );
  const phrase = (at: number) =>
    phrases.rows[at % phrases.rows.length]?.text.split(' ').slice(1, 3).join(' ') ?? '';
  const word = (from: number, to: number) => (at: number) =>
    words[from + ((at * 7) % (to - from))] ?? '';
  const common = word(0, 40);
  const middling = word(250, 2_300);
  const narrowed = (more: object) => (at: number) => ({ q: middling(at), ...more });
  return {
    'a rare word': (at: number) => ({ q: rareWord(at) }),
    'a common word': (at: number) => ({ q: common(at) }),
    'a word in 300 to 3,000 lines': (at: number) => ({ q: middling(at) }),
    'two words': (at: number) => ({ q: `${middling(at)} ${common(at + 1)}` }),
    'a phrase': (at: number) => ({ q: `"${phrase(at)}"` }),
    'of a speaker': narrowed({ speaker: 'ada lovelace' }),
    'of a period': narrowed({ from: '2026-01-01', to: '2030-01-01' }),
    'of a room': narrowed({ roomId: call?.room_id }),
    'of an agent': narrowed({ agentId: call?.started_by }),
    'with a playbook': narrowed({ playbookId: call?.playbook_id }),
    'of a score': narrowed({ score: 'detractors' }),
    'a common word of a room': (at: number) => ({ q: common(at), roomId: call?.room_id }),
    'a word with a typing error': (at: number) => ({ q: mistyped(middling(at), at) }),
  };
}

const byKey: Statement = {
  name: 'hits_by_key',
  text: `select h.*, source.*, call.* from unnest($2::uuid[], $3::uuid[], $4::text[]) h (call_id, source_id, kind) ${shown}`,
};

async function ofKinds(
  tenant: Tenant,
  client: pg.Client,
  words: readonly string[],
): Promise<Measured[]> {
  const org = tenant.orgId;
  const page = await client.query<{ call_id: string; source_id: string; kind: string }>(
    `select call_id, source_id, kind from search_texts where org_id = $1 order by random() limit ${20 * rounds}`,
    [org],
  );
  const times = new Map<string, number[]>();
  const time = async (name: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    const of = times.get(name) ?? [];
    of.push(performance.now() - startedAt);
    times.set(name, of);
  };
  const searched = Object.entries(await kinds(client, org, words));
  for (let round = -10; round < rounds; round += 1) {
    if (round === 0) times.clear();
    const at = Math.abs(round);
    const keys = page.rows.slice(at * 20, at * 20 + 20);
    await time('key', () =>
      tenant.connection(({ run }) =>
        run(byKey, [
          org,
          keys.map(({ call_id }) => call_id),
          keys.map(({ source_id }) => source_id),
          keys.map(({ kind }) => kind),
        ]),
      ),
    );
    for (const [name, query] of searched) {
      const parsed = searchQuery.parse(query(at));
      await time(name, () => searchAllCalls(tenant, parsed));
    }
  }
  const peer = quantile(times.get('key') ?? [], 0.5);
  return searched.flatMap(([name]) => {
    const of = times.get(name) ?? [];
    const isWord = name === 'a rare word' || name === 'a common word';
    return [
      compared(`search: ${name}, against 20 hits by key`, 'ms', {
        ours: quantile(of, 0.5),
        peer,
        limit: isWord ? mostTimes.word : mostTimes.any,
        note: `n=${of.length}`,
      }),
      plain(`search: p95 of ${name}`, 'ms', quantile(of, 0.95), mostMs),
    ];
  });
}

/** Returns the word with one letter left out, added, replaced, or swapped with the next. */
function mistyped(word: string, seed: number): string {
  const { between, pick } = dice(seed);
  const letters = [...word];
  const at = between(0, letters.length - 2);
  const letter = pick([...'abcdefghijklmnopqrstuvwxyz']);
  const [one = '', next = ''] = letters.slice(at, at + 2);
  letters.splice(at, 2, ...pick([[next], [one, letter, next], [letter, next], [next, one]]));
  return letters.join('');
}

/** How many of 200 words with one seeded error are corrected to what was meant. */
async function ofTypos(tenant: Tenant, words: readonly string[]): Promise<Measured> {
  const { pick } = dice(200);
  const meant = words.slice(0, 3_000).filter((word) => word.length >= 4);
  let found = 0;
  let isWord = 0;
  for (let at = 0; at < typos; at += 1) {
    const word = pick(meant);
    const typed = mistyped(word, 1_000 + at);
    const page: FoundPage = await searchAllCalls(tenant, searchQuery.parse({ q: typed }));
    if (page.corrected?.q === word || typed === word) found += 1;
    else if (!page.corrected && page.calls.length > 0) isWord += 1;
  }
  return {
    ...plain(`search: of ${typos} words with an error, found`, 'hits', found, leastFound),
    limit: { at: 'least', value: leastFound, text: `≥ ${leastFound}` },
    note: `${isWord} of the others are words themselves`,
  };
}

/** What the index adds to the write of one line. */
async function ofWrites(
  client: pg.Client,
  org: string,
  words: readonly string[],
): Promise<Measured[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from calls where org_id = $1 order by id desc limit 1',
    [org],
  );
  const { pick } = dice(7);
  const times: Record<string, number[]> = { indexed: [], bare: [] };
  for (let round = 0; round < 300; round += 1) {
    for (const kind of ['indexed', 'bare']) {
      await client.query(
        `set session_replication_role = ${kind === 'bare' ? 'replica' : 'origin'}`,
      );
      const text = Array.from({ length: 12 }, () => pick(words)).join(' ');
      const startedAt = performance.now();
      await client.query({
        name: 'bench_line',
        text: `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms,
          end_ms, text, recognizer) values ($1, $2, $3, $1, 'guest', 'Ada', $4, $4, $5, 'bench')`,
        values: [randomUUID(), org, rows[0]?.id, round, text],
      });
      times[kind]?.push(performance.now() - startedAt);
    }
  }
  await client.query('set session_replication_role = origin');
  const [ours, peer] = [quantile(times.indexed ?? [], 0.5), quantile(times.bare ?? [], 0.5)];
  return [
    compared('search: the insert of a line, against one without triggers and foreign keys', 'ms', {
      ours,
      peer,
      note: `p95 ${quantile(times.indexed ?? [], 0.95).toFixed(2)} against ${quantile(times.bare ?? [], 0.95).toFixed(2)}`,
    }),
  ];
}
