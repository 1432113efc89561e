import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { AccountId, ParticipantId } from '#domain/ids.ts';
import { requestDeletion, updateRetention } from '#domain/privacy/contract.ts';
import {
  deleteRecording,
  liftLegalHold,
  placeLegalHold,
  readRecordingStorage,
  removeFromRecording,
} from '#domain/recordings/contract.ts';
import { getTranscript } from '#domain/transcripts/contract.ts';
import { deleteDueOrganizations } from '#server/privacy/delete-organization.ts';
import { finishErasures } from '#server/privacy/finish-erasures.ts';
import { forgetOldEverywhere } from '#server/privacy/forget-old.ts';
import { forgetWords } from '#server/search/forget-words.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  begin,
  partsOf,
  recorded,
  recordedCall,
  recordingOf,
  sendPart,
  type Upload,
  uploadSegment,
} from '#server/testing/recorded-call.ts';
import { newMember } from '#server/testing/visitor.ts';
import { deleteDiscardedFiles, deleteOrphans } from './discarded-files.ts';
import { joinDue } from './join/join-due.ts';

let app: TestApp;
let here: Awaited<ReturnType<typeof recordedCall>>;
let bo: ParticipantId;
let cleo: ParticipantId;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A phrase that is said and a piece of the sound that is recorded, by which what is left is found. */
let words = { bo: '', cleo: '' };

/** Records and transcribes two guests. One more segment is not complete. */
beforeEach(async () => {
  here = await recordedCall(app);
  words = { bo: `platypus ${here.call.id}`, cleo: `marmalade ${here.call.id}` };
  const [one, two] = [await here.join('Bo'), await here.join('Cleo')];
  [bo, cleo] = [one.id, two.id];
  await uploadSegment(app, one, partsOf(recorded.camera, 4));
  await uploadSegment(app, two, partsOf(recorded.microphone, 2), { hasVideo: false });
  const open = (await begin(app, one, { source: 'screen' })).body as Upload;
  await sendPart(app, open, 0, recorded.camera);
  await says(bo, words.bo);
  await says(cleo, words.cleo);
  await app.owner.query('update calls set ended_at = now(), duration_sec = 6 where id = $1', [
    here.call.id,
  ]);
});

const says = (participant: string, text: string, account: AccountId | null = null) =>
  app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, account_id, name,
        start_ms, end_ms, text, recognizer)
      values (gen_random_uuid(), $1, $2, $3, 'guest', $4, 'Someone', 0, 900, $5, 'test')`,
    [here.org, here.call.id, participant, account, `I bought a ${text} today`],
  );
const params = () => ({ id: here.call.id });
const folder = () => join(app.filesFolder, here.org);

/** Returns the names of the organization's files that contain bytes of what was recorded. */
function filesWith(piece: Buffer): string[] {
  if (!existsSync(folder())) return [];
  const names = readdirSync(folder(), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(piece));
}
/** Bytes of one packet, which are the same in the uploaded part and in the joined file. */
const packetOf = (bytes: Buffer) => bytes.subarray(9000, 9040);
const sounds = { bo: packetOf(recorded.camera), cleo: packetOf(recorded.microphone) };

/** Returns the tables of which a row contains the text, other than audit events, after the job that forgets words. */
async function tablesWith(text: string): Promise<string[]> {
  await forgetWords(app.services);
  const { rows } = await app.owner.query(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' and c.relname not like 'audit_events%'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await app.owner.query(
      `select 1 from "${name}" t where t::text like '%' || $1 || '%' limit 1`,
      [text],
    );
    if (rowCount) found.push(name);
  }
  return found;
}
const events = async () =>
  (
    await app.owner.query(
      `select action, metadata from audit_events
        where org_id = $1 and action ~ '^(RECORDING|LEGAL)' order by id`,
      [here.org],
    )
  ).rows;
const held = { status: 409, body: { code: 'legal_hold' } };
const recordingPath = () => `/api/calls/${here.call.id}/recording`;

test('removing one person, and then deleting the rest, leaves no bytes and no words of them', async () => {
  await joinDue(app.services);
  expect(filesWith(sounds.bo).length).toBeGreaterThan(1);
  expect(await tablesWith(words.bo)).toEqual(['transcript_lines']);
  const remove = { params: { ...params(), participantId: bo } };
  for (let turn = 0; turn < 2; turn += 1) await here.ada.call(removeFromRecording, remove);
  expect(filesWith(sounds.bo)).toEqual([]);
  expect(await tablesWith(words.bo)).toEqual([]);
  const left = await tablesWith(bo);
  expect(left.filter((name) => !['attendances', 'consents'].includes(name))).toEqual([]);
  const recording = await recordingOf(here.ada, here.call.id);
  expect(recording.people.map(({ name }) => name)).toEqual(['Cleo']);
  const url = recording.people[0]?.tracks[0]?.files[0]?.url ?? '';
  expect((await app.http.inject({ url })).statusCode).toBe(200);
  expect(await tablesWith(words.cleo)).toEqual(['transcript_lines']);

  for (let turn = 0; turn < 2; turn += 1)
    await here.ada.call(deleteRecording, { params: params() });
  expect(filesWith(sounds.cleo)).toEqual([]);
  expect(await tablesWith(words.cleo)).toEqual([]);
  expect(readdirSync(join(folder(), 'recordings'))).toEqual([]);
  expect((await app.http.inject({ url })).statusCode).toBe(404);
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ state: 'deleted', people: [] });
  expect(await events()).toEqual([
    { action: 'RECORDING_PERSON_REMOVED', metadata: { participantId: bo } },
    { action: 'RECORDING_DELETED', metadata: null },
  ]);
});

test('a member who joined three times is one person, and is removed as one', async () => {
  await app.owner.query(
    `update calls set started_at = now() - interval '1 minute', ended_at = null, duration_sec = null
      where id = $1`,
    [here.call.id],
  );
  const pages = [];
  for (const ageMs of [30_000, 20_000, 18_000]) {
    const page = await here.join('Ada', here.ada.user.id);
    await uploadSegment(app, page, partsOf(recorded.camera, 2), { ageMs });
    await says(page.id, `word ${page.id}`, here.ada.user.id);
    pages.push(page);
  }
  await joinDue(app.services);
  const [first, reloaded, phone] = pages;
  const { people } = await recordingOf(here.ada, here.call.id);
  const [ada, ...others] = people.filter(({ name }) => name === 'Ada');
  expect(others).toEqual([]);
  expect(ada?.participantId).toBe(first?.id);
  // The reloaded page goes on where the first ended; the phone recorded at the same time.
  expect(ada?.tracks.map(({ files }) => files.length)).toEqual([2, 1]);
  const { lines } = await here.ada.call(getTranscript, { params: params() });
  const own = lines.filter(({ text }) => text.includes('word'));
  expect(own.map(({ participantId }) => participantId)).toEqual(pages.map(() => first?.id));

  await here.ada.call(removeFromRecording, {
    params: { ...params(), participantId: reloaded?.id ?? bo },
  });
  const left = (await recordingOf(here.ada, here.call.id)).people.map(({ name }) => name);
  expect(left.toSorted()).toEqual(['Bo', 'Cleo']);
  expect(await tablesWith(`word ${phone?.id}`)).toEqual([]);
});

test('agents and viewers cannot delete, and another organization finds nothing', async () => {
  const other = (await recordedCall(app)).ada;
  for (const role of ['AGENT', 'VIEWER'] as const) {
    const member = await newMember(app, here.ada, role);
    expect((await member.send('DELETE', recordingPath())).status).toBe(403);
    expect((await member.send('GET', recordingPath())).status).toBe(200);
  }
  expect((await other.send('DELETE', recordingPath())).status).toBe(404);
  expect((await other.send('DELETE', `${recordingPath()}/people/${bo}`)).status).toBe(404);
  expect(filesWith(sounds.bo).length).toBeGreaterThan(0);
});

test('deleting the call, by whatever road, deletes its files', async () => {
  await app.owner.query('delete from calls where id = $1', [here.call.id]);
  await deleteDiscardedFiles(app.services);
  for (const sound of Object.values(sounds)) expect(filesWith(sound)).toEqual([]);
  expect(await tablesWith(words.bo)).toEqual([]);
});

test('a file that the store does not delete is deleted later', async () => {
  const down = vi.spyOn(app.services.files, 'deleteAll').mockRejectedValue(new Error('down'));
  await here.ada.call(deleteRecording, { params: params() });
  expect(filesWith(sounds.bo).length).toBeGreaterThan(0);
  down.mockRestore();
  await deleteDiscardedFiles(app.services);
  expect(filesWith(sounds.bo).length).toBeGreaterThan(0);
  await app.owner.query('update discarded_files set next_attempt_at = now()');
  await deleteDiscardedFiles(app.services);
  expect(filesWith(sounds.bo)).toEqual([]);
  expect((await app.owner.query('select 1 from discarded_files')).rowCount).toBe(0);
});

test('R15-9: many deleted files of another organization keep nobody’s files waiting', async () => {
  const other = await recordedCall(app);
  await app.owner.query(
    `insert into discarded_files (org_id, file_key, next_attempt_at)
      select $1::uuid, $1 || '/recordings/' || gen_random_uuid(), now() - interval '1 hour'
      from generate_series(1, 300)`,
    [other.org],
  );
  await app.owner.query('delete from recorded_tracks where call_id = $1', [here.call.id]);
  await deleteDiscardedFiles(app.services);
  expect(filesWith(sounds.bo)).toEqual([]);
  await deleteDiscardedFiles(app.services, other.org);
  expect((await app.owner.query('select 1 from discarded_files')).rowCount).toBe(0);
});

test('files without a row are found a day later, and those with one stay', async () => {
  await app.owner.query('delete from recorded_tracks where participant_id = $1', [bo]);
  await app.owner.query('delete from discarded_files');
  expect(await deleteOrphans(app.services)).toBe(0);
  expect(await deleteOrphans(app.services, Date.now() + 25 * 3_600_000)).toBe(2);
  expect(filesWith(sounds.bo)).toEqual([]);
  expect(filesWith(sounds.cleo).length).toBeGreaterThan(0);
});

test('R32-A5: files without a row stay where another installation uses the store', async () => {
  await app.owner.query('delete from recorded_tracks where participant_id = $1', [bo]);
  await app.owner.query('delete from discarded_files');
  const later = Date.now() + 25 * 3_600_000;
  const { files, log } = app.services;
  const error = vi.spyOn(log, 'error').mockImplementation(() => undefined);
  // As a copy of this database from another night finds it.
  const mark = 'f5a3c1de-0000-4000-8000-000000000000';
  await files.put('installation', Readable.from([mark]), 100);
  expect(await deleteOrphans(app.services, later)).toBe(0);
  expect(error).toHaveBeenCalledOnce();
  error.mockRestore();
  expect(filesWith(sounds.bo).length).toBeGreaterThan(0);
  await files.delete('installation');
  expect(await deleteOrphans(app.services, later)).toBeGreaterThan(0);
  expect(await deleteOrphans(app.services, later)).toBe(0);
});

test('under legal hold nothing of the call is deleted, and the answers say so', async () => {
  await here.ada.call(placeLegalHold, { params: params(), body: { reason: 'Case 12' } });
  expect(await here.ada.send('DELETE', recordingPath())).toMatchObject(held);
  expect(await here.ada.send('DELETE', `${recordingPath()}/people/${bo}`)).toMatchObject(held);
  await here.ada.call(updateRetention, { body: { recordings: 1, guestNames: 1 } });
  await forgetOldEverywhere(app.services, new Date(Date.now() + 9 * 86_400_000));
  await here.ada.send('POST', '/api/privacy/erase', { guest: 'Bo' });
  const org = here.ada.user.orgId ?? '';
  await app.owner.query(`update organizations set name = 'Acme' where id = $1`, [org]);
  expect(
    await here.ada.send('POST', `/api/organizations/${org}/deletion`, { name: 'Acme' }),
  ).toMatchObject({ status: 409, body: { code: 'legal_holds' } });
  expect(filesWith(sounds.bo).length).toBeGreaterThan(0);
  expect(await tablesWith(words.bo)).toEqual(['transcript_lines']);
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({
    expiresAt: null,
    legalHold: { reason: 'Case 12', placedBy: expect.stringMatching(/First/) },
  });
  expect(await here.ada.call(readRecordingStorage)).toMatchObject({
    recordedCalls: 1,
    retentionDays: 1,
    holds: [{ callId: here.call.id, room: 'Kick-off', reason: 'Case 12' }],
  });
  // The erasure that the hold delayed follows.
  await here.ada.call(liftLegalHold, { params: params() });
  expect(filesWith(sounds.bo)).toEqual([]);
  expect(await tablesWith(words.bo)).toEqual([]);
  expect(filesWith(sounds.cleo).length).toBeGreaterThan(0);
  expect(await events()).toEqual([
    { action: 'LEGAL_HOLD_PLACED', metadata: null },
    { action: 'LEGAL_HOLD_LIFTED', metadata: { removedPeople: 1 } },
  ]);
});

test('the retention rule deletes recordings of its age, and the call says that they have expired', async () => {
  await here.ada.call(updateRetention, { body: { recordings: 30 } });
  const { expiresAt } = await recordingOf(here.ada, here.call.id);
  expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  await forgetOldEverywhere(app.services, new Date(Date.now() + 31 * 86_400_000));
  await deleteDiscardedFiles(app.services);
  expect(filesWith(sounds.bo)).toEqual([]);
  expect(await recordingOf(here.ada, here.call.id)).toMatchObject({ state: 'expired', people: [] });
});

test('erasing a member deletes what was captured of them, in all calls', async () => {
  const member = await newMember(app, here.ada, 'AGENT');
  const { id } = await here.join('Mia', member.user.id);
  await app.owner.query('update calls set ended_at = null, duration_sec = null where id = $1', [
    here.call.id,
  ]);
  const mia = await here.join('Mia again', member.user.id);
  await uploadSegment(app, mia, partsOf(recorded.camera, 2));
  await says(id, 'quokka', member.user.id);
  await app.owner.query('update calls set ended_at = now(), duration_sec = 6 where id = $1', [
    here.call.id,
  ]);
  await here.ada.send('POST', '/api/privacy/erase', { userId: member.user.id });
  await finishErasures(app.services);
  await deleteDiscardedFiles(app.services);
  expect(await tablesWith('quokka')).toEqual([]);
  const { people } = await recordingOf(here.ada, here.call.id);
  expect(people.map(({ name }) => name).sort()).toEqual(['Bo', 'Cleo']);
});

test('a person’s export lists what was captured of them', async () => {
  const { body } = await here.ada.send('GET', '/api/privacy/person?guest=Bo');
  expect(body).toMatchObject({
    recorded_tracks: [{ source: 'camera' }, { source: 'screen' }],
    transcript_lines: [{ text: expect.stringContaining(words.bo) }],
  });
  expect(JSON.stringify(body)).not.toContain(words.cleo);
});

test('deleting an organization leaves none of its recordings', async () => {
  const org = here.ada.user.orgId ?? '';
  await app.owner.query(`update organizations set name = 'Acme' where id = $1`, [org]);
  await here.ada.call(requestDeletion, { params: { orgId: org }, body: { name: 'Acme' } });
  await app.owner.query(
    `update organization_deletions set requested_at = now() - interval '8 days', due_at = now() - interval '1 day'
      where org_id = $1`,
    [org],
  );
  await deleteDueOrganizations(app.services);
  for (const sound of Object.values(sounds)) expect(filesWith(sound)).toEqual([]);
  expect(await tablesWith(words.bo)).toEqual([]);
  expect((await app.owner.query('select 1 from organizations where id = $1', [org])).rowCount).toBe(
    0,
  );
});
