import { randomUUID } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAuditEvents } from '#domain/audit/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import {
  correctLine,
  getTranscript,
  readSpeechService,
  type TranscriptLine,
} from '#domain/transcripts/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { captureTranscript, stopTranscript } from '#server/testing/speech-client.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const path = () => `/api/calls/${started.call.id}/transcript`;
const read = (query = '') => ada.call(getTranscript, { params: { id: started.call.id }, query });
const correct = (line: TranscriptLine | undefined, text: string) =>
  ada.call(correctLine, {
    params: { id: line?.id ?? '' },
    body: { text },
  });

/** Stores lines: name, text, and start. */
async function store(...lines: [name: string, text: string, startMs: number][]): Promise<void> {
  for (const [name, text, startMs] of lines) {
    await storeTranscriptLine(app, started.call.id, { name, text, startMs });
  }
}

test('a transcript is read in pages, in the order in which it was said', async () => {
  await store(['Cleo', 'Third', 9000], ['Ada', 'First', 100], ['Cleo', 'Second', 2000]);
  const first = await read('?limit=2');
  expect(first.lines.map(({ text }) => text)).toEqual(['First', 'Second']);
  const second = await read(`?limit=2&after=${first.next}`);
  expect(second.lines.map(({ name, text }) => [name, text])).toEqual([['Cleo', 'Third']]);
  expect(second.next).toBeNull();
  const { status } = await ada.send('GET', `${path()}?after=nonsense`);
  expect(status).toBe(400);
});

test('its state says whether it runs, has failed, or never was', async () => {
  expect(await read()).toMatchObject({ state: 'none', lines: [], missingPhrases: 0 });
  await captureTranscript(app, started.call);
  expect((await read()).state).toBe('live');
  await stopTranscript(app, started.call);
  await app.owner.query(
    `insert into transcript_gaps (org_id, call_id, participant_id, phrases, failure)
     select org_id, id, $2, 3, 'timeout' from calls where id = $1`,
    [started.call.id, randomUUID()],
  );
  expect(await read()).toMatchObject({ state: 'failed', missingPhrases: 3 });
  await store(['Ada', 'At last', 0]);
  await ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });
  expect(await read()).toMatchObject({ state: 'ready', missingPhrases: 3 });
});

test('a correction keeps the recognized text, and sending that text takes it back', async () => {
  await store(['Ada', 'We sell by Friday', 0]);
  const [line] = (await read()).lines;
  expect(await correct(line, ' We send it by Friday ')).toMatchObject({
    text: 'We send it by Friday',
    recognizedText: 'We sell by Friday',
  });
  const again = await correct(line, 'We send it on Friday');
  expect(again).toMatchObject({ recognizedText: 'We sell by Friday' });
  expect((await read()).lines).toEqual([again]);
  expect(await correct(line, 'We sell by Friday')).toMatchObject({ recognizedText: null });
  const events = await ada.call(listAuditEvents);
  const corrections = events.filter(({ action }) => action === 'TRANSCRIPT_LINE_CORRECTED');
  expect(corrections).toHaveLength(3);
  expect(JSON.stringify(corrections)).not.toContain('Friday');
});

test('viewers read and do not correct; another organization finds nothing', async () => {
  await store(['Ada', 'Hello', 0]);
  const [line] = (await read()).lines;
  const viewer = await newMember(app, ada, 'VIEWER');
  expect((await viewer.send('GET', path())).status).toBe(200);
  const change = (who: typeof ada, text: string) =>
    who.send('PATCH', `/api/transcript-lines/${line?.id}`, { text });
  expect((await change(viewer, 'Changed')).status).toBe(403);
  const eve = await newOrganization(app);
  for (const url of [path(), `${path()}/export`]) {
    expect((await eve.send('GET', url)).status).toBe(404);
  }
  expect((await change(eve, 'Changed')).status).toBe(404);
  expect((await change(ada, '  ')).status).toBe(400);
  expect((await read()).lines[0]?.text).toBe('Hello');
});

test('every format has all names, times, and texts, those from right to left and hostile ones, too', async () => {
  await store(
    ['Ada & <Co>', 'Is 2 < 3 --> true?', 61_005],
    ['דנה', 'שלום, נדבר ביום שישי', 3_723_450],
  );
  const file = async (format: string) => {
    const { headers, body } = await ada.send('GET', `${path()}/export?format=${format}`);
    expect(headers['content-disposition']).toMatch(new RegExp(`^attachment; .*\\.${format}"$`));
    return String(typeof body === 'string' ? body : JSON.stringify(body));
  };
  expect(await file('txt')).toContain('[00:01:01] Ada & <Co>: Is 2 < 3 → true?\n');
  expect(await file('srt')).toContain(
    '2\n01:02:03,450 --> 01:02:04,950\nדנה: שלום, נדבר ביום שישי\n\n',
  );
  expect(await file('vtt')).toMatch(
    /^WEBVTT\n\n00:01:01\.005 --> 00:01:02\.505\n<v Ada &amp; &lt;Co&gt;>Is 2 &lt; 3 → true\?<\/v>\n/,
  );
  const json = JSON.parse(await file('json'));
  expect(json.topic).toBe('Kick-off');
  expect(json.lines).toEqual((await read()).lines);
  const answer = await app.http.inject({
    url: `${path()}/export?format=docx`,
    headers: { cookie: ada.cookie },
  });
  const xml = strFromU8(unzipSync(answer.rawPayload)['word/document.xml'] ?? new Uint8Array());
  expect(xml).toContain('Ada &amp; &lt;Co&gt;: ');
  expect(xml).toContain('Is 2 &lt; 3 --&gt; true?');
  expect(xml).toMatch(/<w:bidi\/>.*<w:rtl\/><\/w:rPr><w:t[^>]*>שלום, נדבר ביום שישי</);
  expect(xml.match(/<w:bidi\/>/g)).toHaveLength(1);
  const events = await ada.call(listAuditEvents);
  expect(events.filter(({ action }) => action === 'TRANSCRIPT_EXPORTED')).toHaveLength(5);
});

test('a transcript of 300,000 words is exported whole, in any format, and read page by page', {
  tags: 'full',
  timeout: 60_000,
}, async () => {
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms,
       end_ms, text, recognizer)
     select gen_random_uuid(), c.org_id, c.id, gen_random_uuid(), 'guest', 'Cleo', n * 100, n * 100 + 90,
       repeat('word ', 24) || n, 'test'
     from calls c, generate_series(1, 12000) n where c.id = $1`,
    [started.call.id],
  );
  const starts: number[] = [];
  let after: string | null | undefined;
  do {
    const page = await read(after ? `?after=${after}` : '');
    starts.push(...page.lines.map(({ startMs }) => startMs));
    after = page.next;
  } while (after);
  expect(starts).toEqual(Array.from({ length: 12_000 }, (_, at) => (at + 1) * 100));
  const answer = await app.http.inject({
    url: `${path()}/export?format=docx`,
    headers: { cookie: ada.cookie },
  });
  const xml = strFromU8(unzipSync(answer.rawPayload)['word/document.xml'] ?? new Uint8Array());
  expect(xml.match(/<w:p>/g)).toHaveLength(12_002);
  // R19-59: bytes that are compressed cost more than they count.
  expect(answer.rawPayload.length).toBeGreaterThan(xml.length);
  const { body } = await ada.send('GET', `${path()}/export?format=srt`);
  expect(String(body)).toContain('\n12000\n');
});

test('members learn which speech service is set up, and where audio is sent', async () => {
  expect(await ada.call(readSpeechService)).toEqual({ service: null });
  const configured = await openTestApp({
    SPEECH_PROVIDER: 'openai-compatible',
    SPEECH_URL: 'http://127.0.0.1:9/v1',
    SPEECH_KEY: 'secret-key',
    SPEECH_MODEL: 'tiny.en',
  });
  const { body } = await (await newOrganization(configured)).send('GET', '/api/speech-service');
  expect(body).toEqual({
    service: {
      kind: 'openai-compatible',
      recognizer: 'openai-compatible/tiny.en',
      host: '127.0.0.1:9',
    },
  });
  await configured.close();
});
