import { afterAll, beforeAll, expect, test } from 'vitest';
import { callId } from '#domain/ids.ts';
import { getRecording } from '#domain/recordings/contract.ts';
import { createShare, listShares, readShared, revokeShare } from '#domain/shares/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { storeRecordedFile } from '#server/testing/recorded-file.ts';
import { storeConsent } from '#server/testing/stored-consent.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
});
afterAll(() => app.close());

/** A call with a recording. */
async function recordedCall() {
  const { call, room } = await runningCall(ada);
  const of = { id: call.id, roomId: room.id, orgId: ada.user.orgId };
  return { of, room, params: { id: call.id } };
}
const share = (params: { id: string }, body: object = { expiresInDays: 7 }) =>
  ada.call(createShare, { params, body });
const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1) ?? '';
const stranger = () => new Visitor(app);
const open = (token: string) => stranger().send('GET', `/api/shared-recordings/${token}`);

test('a link plays the recording without an account, and its token is stored only as a hash', async () => {
  const { of, room, params } = await recordedCall();
  const { mediaId } = await storeRecordedFile(app, of);
  const made = await share(params);
  const shared = await stranger().call(readShared, { params: { token: tokenOf(made) } });
  expect(shared).toMatchObject({ title: room.topic, clip: null, durationMs: 60_000 });
  expect(shared.people.map(({ name }) => name)).toEqual(['Grace']);
  const [file] = shared.people[0]?.tracks[0]?.files ?? [];
  expect(file).toMatchObject({ id: mediaId, state: 'ready' });
  expect(file?.url).toMatch(/expires=\d+&signature=/);
  const { rows } = await app.owner.query('select * from recording_shares where id = $1', [made.id]);
  expect(JSON.stringify(rows)).not.toContain(tokenOf(made));
  expect(JSON.stringify(await ada.call(listShares, { params }))).not.toContain(tokenOf(made));
});

test('only people whose newest answer agrees are in a shared recording', async () => {
  const { of, params } = await recordedCall();
  await storeRecordedFile(app, of, { name: 'Grace' });
  const withdrawn = await storeRecordedFile(app, of, { name: 'Linus' });
  await storeRecordedFile(app, of, { name: 'Barbara', agrees: false });
  const token = tokenOf(await share(params));
  const names = async () =>
    (await stranger().call(readShared, { params: { token } })).people.map(({ name }) => name);
  expect(await names()).toEqual(['Grace', 'Linus']);
  const { participantId } = withdrawn;
  await storeConsent(app, { callId: of.id, participantId, asked: ['recording'], agreed: [] });
  expect(await names()).toEqual(['Grace']);
});

test('R19-3: a person whose removal waits for a legal hold is in no shared recording', async () => {
  const { of, params } = await recordedCall();
  await storeRecordedFile(app, of, { name: 'Grace' });
  const { participantId } = await storeRecordedFile(app, of, { name: 'Linus' });
  const token = tokenOf(await share(params));
  const people = async () =>
    (await stranger().call(readShared, { params: { token } })).people.map(({ name, tracks }) => ({
      name,
      url: String(tracks[0]?.files[0]?.url),
    }));
  const [, linus] = await people();
  expect(linus?.name).toBe('Linus');
  await app.owner.query(
    'insert into held_removals (org_id, call_id, participant_id) values ($1, $2, $3)',
    [of.orgId, of.id, participantId],
  );
  expect((await people()).map(({ name }) => name)).toEqual(['Grace']);
  expect((await stranger().send('GET', linus?.url ?? '')).status).toBe(403);
});

test('a clip has its own title and only the files and the sound within it', async () => {
  const { of, params } = await recordedCall();
  await storeRecordedFile(app, of, { name: 'Grace' });
  await storeRecordedFile(app, of, { name: 'Linus', startMs: 70_000, durationMs: 20_000 });
  const clip = { startMs: 10_000, endMs: 25_000 };
  const made = await share(params, { title: ' The offer ', clip, expiresInDays: 1 });
  const shared = await stranger().call(readShared, { params: { token: tokenOf(made) } });
  expect(shared).toMatchObject({ title: 'The offer', clip });
  expect(shared.people.map(({ name }) => name)).toEqual(['Grace']);
  const waveform = shared.people[0]?.tracks[0]?.files[0]?.waveform ?? [];
  expect([waveform[99], waveform[100], waveform[249], waveform[250]]).toEqual([0, 200, 200, 0]);
});

test('R15-1: forged waveforms of many files do not make an answer that fills the memory', async () => {
  const { of, params } = await recordedCall();
  for (let file = 0; file < 8; file += 1)
    await storeRecordedFile(app, of, { name: `Guest ${file}` });
  await app.owner.query(
    `update recorded_media set waveform = decode(repeat('00', 432000), 'hex') where org_id = $1`,
    [of.orgId],
  );
  const token = tokenOf(await share(params));
  const shared = await stranger().call(readShared, { params: { token } });
  const { people } = await ada.call(getRecording, { params: { id: callId.parse(of.id) } });
  for (const all of [shared.people, people]) {
    const lengths = all.map(({ tracks }) => tracks[0]?.files[0]?.waveform.length);
    expect(lengths.filter((length) => length === 432_000).length).toBeLessThanOrEqual(3);
  }
  // R19-68: anyone may ask for a share.
  const shown = shared.people.map(({ tracks }) => tracks[0]?.files[0]?.waveform.length ?? 0);
  expect(shown.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(300_000);
  expect(shared.people).toHaveLength(8);
});

test('R24-B1: members get the waveforms of eight hours of sound, as those who have a link', async () => {
  const { of, params } = await recordedCall();
  for (let file = 0; file < 8; file += 1)
    await storeRecordedFile(app, of, { name: `Guest ${file}` });
  await app.owner.query(
    `update recorded_media set waveform = decode(repeat('07', 100000), 'hex') where track_id in (
       select id from recorded_tracks where call_id = $1)`,
    [of.id],
  );
  const token = tokenOf(await share(params));
  const shared = await stranger().call(readShared, { params: { token } });
  const own = await ada.call(getRecording, { params: { id: callId.parse(of.id) } });
  for (const { people } of [shared, own]) {
    const lengths = people.map(({ tracks }) => tracks[0]?.files[0]?.waveform.length);
    expect(lengths).toEqual([100_000, 100_000, 100_000, 0, 0, 0, 0, 0]);
  }
});

test('a link ends when it is revoked, when it expires, and with the recording', async () => {
  const { of, params } = await recordedCall();
  const { trackId } = await storeRecordedFile(app, of);
  const [revoked, expired, deleted] = [
    await share(params),
    await share(params),
    await share(params),
  ];
  expect(await ada.call(listShares, { params })).toHaveLength(3);
  await ada.call(revokeShare, { params: { id: revoked.id } });
  // Again: nothing changes.
  await ada.call(revokeShare, { params: { id: revoked.id } });
  expect((await open(tokenOf(revoked))).status).toBe(410);
  await app.owner.query(
    `update recording_shares set created_at = now() - interval '8 days',
       expires_at = now() - interval '1 second' where id = $1`,
    [expired.id],
  );
  expect((await open(tokenOf(expired))).status).toBe(410);
  expect((await ada.call(listShares, { params })).map(({ id }) => id)).toEqual([deleted.id]);
  await app.owner.query('delete from recorded_tracks where id = $1', [trackId]);
  expect((await open(tokenOf(deleted))).status).toBe(404);
  const { rows } = await app.owner.query('select id from recording_shares where call_id = $1', [
    of.id,
  ]);
  expect(rows).toEqual([]);
});

test('a forged token, and one of another organization, open nothing', async () => {
  const { of, params } = await recordedCall();
  await storeRecordedFile(app, of);
  const token = tokenOf(await share(params));
  const ben = await newOrganization(app);
  const bytes = Buffer.from(token, 'base64url');
  const org = Buffer.from(ben.user.orgId?.replaceAll('-', '') ?? '', 'hex');
  const elsewhere = Buffer.concat([org, bytes.subarray(16)]).toString('base64url');
  const changed = `${token.slice(0, -2)}${token.endsWith('A') ? 'BB' : 'AA'}`;
  for (const forged of [elsewhere, changed, 'x', token.slice(1)])
    expect((await open(forged)).status).toBe(404);
});

test('a viewer sees who shared what and when it was opened, and may neither share nor revoke', async () => {
  const { of, params } = await recordedCall();
  await storeRecordedFile(app, of);
  const made = await share(params);
  const viewer = await newMember(app, ada, 'VIEWER');
  const [listed] = await viewer.call(listShares, { params });
  expect(listed).toMatchObject({ id: made.id, createdBy: 'First1 Last1', lastViewedAt: null });
  await open(tokenOf(made));
  const [seen] = await viewer.call(listShares, { params });
  expect(seen?.lastViewedAt).toEqual(expect.any(String));
  const path = `/api/calls/${of.id}/recording-shares`;
  expect((await viewer.send('POST', path, { expiresInDays: 1 })).status).toBe(403);
  expect((await viewer.send('DELETE', `/api/recording-shares/${made.id}`)).status).toBe(403);
});

test('a call without a recording, and one with fifty links, cannot be shared', async () => {
  const { of, params } = await recordedCall();
  const path = `/api/calls/${of.id}/recording-shares`;
  const post = (body: object = { expiresInDays: 1 }) => ada.send('POST', path, body);
  expect(await post()).toMatchObject({ status: 409, body: { code: 'not_recorded' } });
  await storeRecordedFile(app, of);
  await app.owner.query(
    `insert into recording_shares (id, org_id, call_id, token_hash, expires_at)
     select gen_random_uuid(), $1, $2, sha256(n::text::bytea), now() + interval '1 day'
     from generate_series(1, 50) n`,
    [of.orgId, params.id],
  );
  expect(await post()).toMatchObject({ status: 409, body: { code: 'most_shares' } });
});

test.each([
  { expiresInDays: 2 },
  { expiresInDays: 7, clip: { startMs: 5000, endMs: 5000 } },
  { expiresInDays: 7, clip: { startMs: -1, endMs: 5000 } },
  { expiresInDays: 7, title: 'x'.repeat(121) },
])('%j is refused', async (body) => {
  const { of } = await recordedCall();
  await storeRecordedFile(app, of);
  const reply = await ada.send('POST', `/api/calls/${of.id}/recording-shares`, body);
  expect(reply.status).toBe(400);
});

test('each share and its end are audit events without the title or the token', async () => {
  const { of, params } = await recordedCall();
  await storeRecordedFile(app, of);
  const made = await share(params, { title: 'Secret plan', expiresInDays: 1 });
  await ada.call(revokeShare, { params: { id: made.id } });
  const { rows } = await app.owner.query(
    'select action, metadata from audit_events where entity_id = $1 order by id desc limit 2',
    [of.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['RECORDING_SHARE_REVOKED', 'RECORDING_SHARED']);
  expect(JSON.stringify(rows)).toContain(made.id);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`Secret plan|${tokenOf(made)}`));
});

test('R25-B2: share links of an organization are answered at its rate, one at a time, apart from members', async () => {
  const own = await openTestApp({ RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' });
  try {
    const bea = await newOrganization(own);
    const { call, room } = await runningCall(bea);
    for (let file = 0; file < 3; file += 1)
      await storeRecordedFile(
        own,
        { id: call.id, roomId: room.id, orgId: bea.user.orgId },
        { name: `Guest ${file}` },
      );
    await own.owner.query(
      `update recorded_media set waveform = decode(repeat('07', 100000), 'hex') where org_id = $1`,
      [bea.user.orgId],
    );
    const made = await bea.call(createShare, {
      params: { id: call.id },
      body: { expiresInDays: 7 },
    });
    const path = `/api/shared-recordings/${tokenOf(made)}`;
    const began = performance.now();
    const asked = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        new Visitor(own).send('GET', path, undefined, { 'x-forwarded-for': `192.0.2.${n}` }),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // 4.8 MB each, of which 4 MB are free and 4 MB a second follow.
    expect(performance.now() - began).toBeGreaterThan(2_000);
    expect((await bea.send('GET', `/api/calls/${call.id}/recording`)).status).toBe(200);
  } finally {
    await own.close();
  }
});
