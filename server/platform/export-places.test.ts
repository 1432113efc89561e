import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { getTranscript } from '#domain/transcripts/contract.ts';
import { tenantOf } from '#server/platform/access.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { exportTranscript } from '#server/transcripts/export/export-transcript.ts';
import { takeExportPlace } from './export-places.ts';

const lines = 2_000;
const charactersOfLine = 5_000;

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let call: Awaited<ReturnType<typeof runningCall>>['call'];
beforeAll(async () => {
  app = await openTestApp();
  url = (await app.listen()).replace('ws:', 'http:');
  ada = await newOrganization(app);
  call = (await runningCall(ada)).call;
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms,
       end_ms, text, recognized_text, corrected_at, recognizer)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), 'guest', 'Cleo', n * 100, n * 100 + 90,
       rpad(n || ' ', $3::int, 'x'), 'word', now(), 'test'
     from generate_series(1, $4::int) n`,
    [ada.user.orgId, call.id, charactersOfLine, lines],
  );
});
afterAll(() => app.close());

test('R23-B2: an export has 100,000 characters of a transcript in memory, and every line once', async () => {
  const of = { kind: 'system' as const, name: 'test', orgId: orgId.parse(ada.user.orgId) };
  const tenant = tenantOf(app.services.database, of, null);
  const { content } = await exportTranscript(tenant, call.id, 'txt');
  const chunks: string[] = [];
  for await (const chunk of content) chunks.push(String(chunk));
  const longest = Math.max(...chunks.map(({ length }) => length));
  expect(longest).toBeLessThan(100_000 + 2 * charactersOfLine);
  const numbers = [...chunks.join('').matchAll(/Cleo: (\d+) /g)].map(([, n]) => Number(n));
  expect(numbers).toEqual(Array.from({ length: lines }, (_, at) => at + 1));
});

test('R23-B2: a page of a transcript has 300,000 characters, and the next one continues', async () => {
  const read = (query = '') => ada.call(getTranscript, { params: { id: call.id }, query });
  const first = await read();
  expect(first.lines).toHaveLength(60);
  const second = await read(`?after=${first.next}`);
  expect(second.lines[0]?.startMs).toBe(6_100);
});

test('R23-B2: an account has two downloads at a time, and more begin when one closes', async () => {
  const order: string[] = [];
  const download = async (name: string) => {
    const end = new AbortController();
    const answer = await fetch(`${url}/api/calls/${call.id}/transcript/export`, {
      headers: { cookie: ada.cookie },
      signal: end.signal,
    });
    order.push(name);
    return { answer, end };
  };
  const first = await download('first');
  const second = await download('second');
  const third = download('third');
  for (let n = 0; n < 5; n += 1) await ada.send('GET', '/api/rooms');
  order.push('closed');
  first.end.abort();
  const { answer, end } = await third;
  expect(answer.status).toBe(200);
  expect(order).toEqual(['first', 'second', 'closed', 'third']);
  second.end.abort();
  end.abort();
});

const answerOf = () => new ServerResponse(new IncomingMessage(new Socket()));

test('a place is free once its answer closes, and no account waits for another', async () => {
  const begun: string[] = [];
  const take = (account: string, answer = answerOf()) =>
    takeExportPlace(account, answer).then(() => begun.push(account));
  const [one, two] = [answerOf(), answerOf()];
  await Promise.all([take('ada', one), take('ada', two)]);
  const waiting = take('ada');
  await take('eve');
  expect(begun).toEqual(['ada', 'ada', 'eve']);
  one.emit('close');
  await waiting;
  expect(begun).toEqual(['ada', 'ada', 'eve', 'ada']);
});

test('a download whose client has gone while it waited holds no place', async () => {
  const [one, two, gone] = [answerOf(), answerOf(), answerOf()];
  await Promise.all([takeExportPlace('ben', one), takeExportPlace('ben', two)]);
  const waiting = takeExportPlace('ben', gone);
  const last = takeExportPlace('ben', answerOf());
  gone.destroy();
  one.emit('close');
  await Promise.all([waiting, last]);
});

test('more than an account may begin are refused', async () => {
  const all = Array.from({ length: 63 }, () => takeExportPlace('cleo', answerOf()));
  await expect(all.at(-1)).rejects.toMatchObject({ kind: 'too_many' });
  all.forEach((one) => {
    one.catch(() => undefined);
  });
});
