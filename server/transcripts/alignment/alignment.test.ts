import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { getTranscript } from '#domain/transcripts/contract.ts';
import { disk, leftOnDisk } from '#server/platform/disk-room.ts';
import { joinDue } from '#server/recordings/join/join-due.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  partsOf,
  type RecordedParticipant,
  recordedCall,
  uploadSegment,
} from '#server/testing/recorded-call.ts';
import { answer, captureTranscript, recordings } from '#server/testing/speech-client.ts';
import { SpeechStandIn } from '#server/testing/speech-stand-in.ts';
import { readWebm } from '../cutting/read-webm.ts';
import { Aligning, alignDue } from './align-due.ts';
import { runCut } from './run-cut.ts';

/** Several processes start, one after the other. */
const patience = { timeout: 60_000 };

const standIn = new SpeechStandIn();
let app: TestApp;
/** When the words of both phrases of the recording begin, in milliseconds. */
let onsets: number[];
beforeAll(async () => {
  await standIn.open();
  app = await openTestApp({
    SPEECH_PROVIDER: 'openai-compatible',
    SPEECH_URL: standIn.url,
    SPEECH_KEY: standIn.key,
  });
  onsets = await onsetsOf(recordings.speech);
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});
beforeEach(() => {
  standIn.heard.length = 0;
  standIn.next.length = 0;
  standIn.say = () => 'We send it on Friday.';
});

/** The first loud moments, and those after a pause of half a second. */
async function onsetsOf(recording: Uint8Array): Promise<number[]> {
  const found: number[] = [];
  let loudAt = Number.NEGATIVE_INFINITY;
  const bytes = new Blob([Buffer.from(recording)]).stream();
  for await (const { positionMs, decode } of readWebm(bytes)) {
    decode().forEach((sample, index) => {
      if (Math.abs(sample) < 0.03) return;
      const at = positionMs + index / 16;
      if (at - loudAt > 500) found.push(at);
      loudAt = at;
    });
  }
  return found;
}

type Here = Awaited<ReturnType<typeof recordedCall>>;

/** A call whose participant was recorded, and whose transcript has lines at these times of the recording. */
async function transcribedCall(lines: number[], agrees = true, uploads = 1) {
  const here = await recordedCall(app);
  await app.owner.query(
    `update calls set started_at = now() - interval '10 minutes' where id = $1`,
    [here.call.id],
  );
  const bo = await here.join('Bo');
  await captureTranscript(app, here.call);
  await answer(app, here.call, bo.id, agrees);
  const upload = await uploadSegment(app, bo, partsOf(Buffer.from(recordings.speech), 3), {
    mimeType: 'audio/webm;codecs=opus',
    hasVideo: false,
  });
  const again = { mimeType: 'audio/webm;codecs=opus', hasVideo: false };
  for (let more = 1; more < uploads; more += 1)
    await uploadSegment(app, bo, partsOf(Buffer.from(recordings.speech), 3), again);
  const { rows } = await app.owner.query(
    `select round(extract(epoch from s.started_at - c.started_at) * 1000)::int as "fileMs"
     from recorded_segments s, calls c where s.id = $1 and c.id = $2`,
    [upload.segmentId, here.call.id],
  );
  const fileMs: number = rows[0].fileMs;
  for (const at of lines) {
    await app.owner.query(
      `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name,
         start_ms, end_ms, text, recognizer)
       select gen_random_uuid(), org_id, id, $2, 'guest', 'Bo', $3, $4, 'A live line.', 'test'
       from calls where id = $1`,
      [here.call.id, bo.id, Math.round(fileMs + at), Math.round(fileMs + at + 1800)],
    );
  }
  await joinDue(app.services);
  await app.owner.query(
    `update calls set ended_at = now() - interval '1 minute', duration_sec = 540 where id = $1`,
    [here.call.id],
  );
  return { here, bo, fileMs };
}

const transcript = ({ ada, call }: Here) => ada.call(getTranscript, { params: { id: call.id } });
const missPhrases = (here: Here, { id }: RecordedParticipant, phrases: number) =>
  app.owner.query(
    `insert into transcript_gaps (org_id, call_id, participant_id, phrases, failure)
     values ($1, $2, $3, $4, 'unreachable')`,
    [here.org, here.call.id, id, phrases],
  );

test(
  'a phrase that was missed during the call is recognized from the recording, at its words',
  patience,
  async () => {
    const { here, bo, fileMs } = await transcribedCall([]);
    await missPhrases(here, bo, 2);
    expect((await transcript(here)).state).toBe('failed');
    standIn.say = () => `Phrase ${standIn.heard.length} of the call.`;
    await alignDue(app.services);
    const { lines, missingPhrases } = await transcript(here);
    expect(onsets).toHaveLength(2);
    expect(lines.map(({ startMs }) => startMs - fileMs)).toEqual(
      onsets.map((onset) => expect.toSatisfy((at: number) => Math.abs(at - onset) < 300)),
    );
    expect(lines.map(({ text, name }) => [name, text])).toEqual([
      ['Bo', 'Phrase 1 of the call.'],
      ['Bo', 'Phrase 2 of the call.'],
    ]);
    expect(missingPhrases).toBe(0);
    await alignDue(app.services);
    expect(standIn.heard).toHaveLength(2);
  },
);

test(
  'lines of the call get the times of the recording’s words, and corrections and items go along',
  patience,
  async () => {
    const late = 1300;
    const { here, fileMs } = await transcribedCall(onsets.map((onset) => onset + late));
    const [first] = (await transcript(here)).lines;
    await app.owner.query(
      `insert into action_item_lists (org_id, call_id, analyzer, offline)
     select org_id, id, 'test', true from calls where id = $1`,
      [here.call.id],
    );
    await app.owner.query(
      `insert into action_items (id, org_id, call_id, position, priority, confidence, title, description,
       cited_line_id, cited_start_ms, cited_speaker)
     select gen_random_uuid(), org_id, call_id, 0, 'medium', 0.9, 'Send it', '', id, start_ms, name
     from transcript_lines where id = $1`,
      [first?.id],
    );
    await alignDue(app.services);
    const { lines } = await transcript(here);
    expect(lines.map(({ startMs }) => startMs - fileMs)).toEqual(
      onsets.map((onset) => expect.toSatisfy((at: number) => Math.abs(at - onset) < 300)),
    );
    expect(lines.map(({ text }) => text)).toEqual(['A live line.', 'A live line.']);
    const { rows } = await app.owner.query(
      'select cited_start_ms from action_items where call_id = $1',
      [here.call.id],
    );
    expect(rows).toEqual([{ cited_start_ms: lines[0]?.startMs }]);
    expect(standIn.heard).toHaveLength(0);
  },
);

test(
  'nothing is recognized of someone who declined the transcript, or has withdrawn since',
  patience,
  async () => {
    const { here: declined } = await transcribedCall([], false);
    const { here: withdrawn, bo } = await transcribedCall([]);
    await answer(app, withdrawn.call, bo.id, false);
    await alignDue(app.services);
    expect(standIn.heard).toHaveLength(0);
    for (const here of [declined, withdrawn]) expect((await transcript(here)).lines).toEqual([]);
  },
);

test('while the service is down, the rest waits for the next attempt', patience, async () => {
  const { here, bo } = await transcribedCall([]);
  await missPhrases(here, bo, 3);
  standIn.say = () => `Phrase ${standIn.heard.length} of the call.`;
  standIn.next.push(
    { status: 200, body: '{"text":"The first phrase."}' },
    { status: 503, body: '' },
  );
  await alignDue(app.services);
  expect(await transcript(here)).toMatchObject({
    lines: [{ text: 'The first phrase.' }],
    missingPhrases: 2,
  });
  await alignDue(app.services);
  expect(standIn.heard).toHaveLength(2);
  await app.owner.query('update recorded_media set align_next_at = now()');
  await alignDue(app.services);
  expect((await transcript(here)).lines.map(({ text }) => text)).toEqual([
    'The first phrase.',
    'Phrase 3 of the call.',
  ]);
});

test('R19-70: a file waits for room on the disk, which counts no attempt', patience, async () => {
  const { here } = await transcribedCall([]);
  const free = vi.spyOn(disk, 'freeBytes').mockResolvedValue(leftOnDisk);
  await alignDue(app.services);
  free.mockRestore();
  const { rows } = await app.owner.query(
    `select align_attempts, aligned_at, align_next_at > now() as waits from recorded_media where org_id = $1`,
    [here.org],
  );
  expect(rows).toEqual([{ align_attempts: 0, aligned_at: null, waits: true }]);
});

test(
  'R16-6: no organization waits for the files of another one, whose own wait for each other',
  patience,
  async () => {
    const { here: slow } = await transcribedCall([], true, 3);
    const { here: other } = await transcribedCall([]);
    const begun: string[] = [];
    const released = Promise.withResolvers<void>();
    const aligning = new Aligning(app.services, async (_, { orgId }) => {
      begun.push(orgId);
      if (orgId === slow.org) await released.promise;
      return null;
    });
    expect(await aligning.begin()).toHaveLength(4);
    await vi.waitFor(
      () => expect(begun.toSorted()).toEqual([slow.org, other.org].toSorted()),
      10_000,
    );
    expect(await aligning.begin(), 'none is aligned twice').toHaveLength(1);
    released.resolve();
    await aligning.stop();
    const { rows } = await app.owner.query('select org_id from media_to_align(1, 10)');
    expect(rows.map(({ org_id }) => org_id).toSorted()).toEqual([slow.org, other.org].toSorted());
    await app.owner.query('update recorded_media set align_attempts = 6');
  },
);

test(
  'R16-7: the program that cuts a file reads its own folder only, and what it writes is bounded',
  patience,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rapport-cut-'));
    const program = join(folder, 'cutter.mjs');
    const secret = join(app.filesFolder, 'secret');
    writeFileSync(secret, 'a secret');
    const file = { input: join(folder, 'input'), output: join(folder, 'output') };
    const cut = () => runCut({ ...file, durationMs: 1, sizeBytes: 1 }, never, program);
    const never = new AbortController().signal;
    writeFileSync(program, `import { readFileSync } from 'node:fs'; readFileSync('${secret}');`);
    await expect(cut()).rejects.toThrow(/Access to this API has been restricted/);
    writeFileSync(
      program,
      `const text = 'x'.repeat(1 << 20);
    const more = () => process.stdout.write(text, () => setImmediate(more));
    more();`,
    );
    await expect(cut()).rejects.toThrow(/It was ended/);
    rmSync(folder, { recursive: true });
  },
);

test(
  'R16-8: a person has as much recognized after a call as the call is long, in all of their files',
  patience,
  async () => {
    const { here } = await transcribedCall([]);
    // Half a second less than may be recognized: shorter than any phrase.
    await app.owner.query(
      `update recorded_media m set filled_ms = extract(epoch from c.ended_at - c.started_at) * 1250 + 59500
      from recorded_tracks t join calls c on c.id = t.call_id where t.id = m.track_id and c.id = $1`,
      [here.call.id],
    );
    await alignDue(app.services);
    expect(standIn.heard).toHaveLength(0);
  },
);
