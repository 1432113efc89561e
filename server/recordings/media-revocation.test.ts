import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { logout } from '#domain/auth/contract.ts';
import { callId } from '#domain/ids.ts';
import { createShare, readShared, revokeShare } from '#domain/shares/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { updateSignInPolicy } from '#domain/two-factor/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recordingOf } from '#server/testing/recorded-call.ts';
import { storeRecordedFile } from '#server/testing/recorded-file.ts';
import { storeConsent } from '#server/testing/stored-consent.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let origin: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
  origin = (await app.listen()).replace(/^ws/, 'http');
  ada = await newOrganization(app);
});
afterAll(() => app.close());

/** More than a connection takes before its reader is checked again. It takes no room on the disk. */
const sizeBytes = 64 * 1024 ** 3;

async function recordedCall() {
  const { call, room } = await runningCall(ada);
  const of = { id: call.id, roomId: room.id, orgId: ada.user.orgId };
  const stored = await storeRecordedFile(app, of);
  const path = join(app.filesFolder, `${of.orgId}`, stored.mediaId);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  truncateSync(path, sizeBytes);
  const { rows } = await app.owner.query(
    `update recorded_media set size_bytes = $2, file_key = $3 where id = $1 returning segment_id`,
    [stored.mediaId, sizeBytes, `${of.orgId}/${stored.mediaId}`],
  );
  await app.owner.query('update recorded_segments set stored_parts = 1 where id = $1', [
    rows[0].segment_id,
  ]);
  return { ...stored, id: callId.parse(call.id), params: { id: call.id } };
}

const urlFor = async (reader: Visitor, id: ReturnType<typeof callId.parse>) =>
  `${origin}${(await recordingOf(reader, id)).people[0]?.tracks[0]?.files[0]?.url}`;
const statusOf = async (url: string) => {
  const { status } = await fetch(url, { headers: { range: 'bytes=0-9' } });
  return status;
};

/** Begins to read the whole file. */
async function reading(url: string) {
  const abort = new AbortController();
  const { status, body } = await fetch(url, { signal: abort.signal });
  expect(status).toBe(200);
  const reader = body?.getReader();
  await reader?.read();
  /** Reads on until the server ends the answer, and returns how many bytes came. */
  return async () => {
    let bytes = 0;
    try {
      for (;;) {
        const part = await reader?.read();
        if (!part || part.done) return bytes;
        bytes += part.value.length;
      }
    } catch {
      return bytes;
    }
  };
}

type Member = Awaited<ReturnType<typeof newMember>>;
async function requireTwoFactors() {
  await app.owner.query('update sessions set two_factors = true where account_id = $1', [
    ada.user.id,
  ]);
  await ada.call(updateSignInPolicy, { body: { twoFactorRequired: true } });
}
test.each([
  ['signed out', (member: Member) => member.call(logout, {})],
  ['removed', (member: Member) => ada.call(removeUser, { params: { id: member.user.id } })],
  ['without a second factor that came to be required (R23-A3)', requireTwoFactors],
])(
  'an address of a file ends with its reader, who was %s, also while it is read',
  async (_, end) => {
    const { id } = await recordedCall();
    const member = await newMember(app, ada, 'VIEWER');
    const [url, adas] = [await urlFor(member, id), await urlFor(ada, id)];
    expect(await statusOf(url)).toBe(206);
    const readOn = await reading(url);
    await end(member);
    expect(await statusOf(url)).toBeGreaterThanOrEqual(401);
    expect(await readOn()).toBeLessThan(sizeBytes / 2);
    expect(await statusOf(adas)).toBe(206);
    await app.owner.query('delete from sign_in_policies');
  },
);

test('R26-B7: the open files of a reader are checked again together', async () => {
  const { id } = await recordedCall();
  const url = await urlFor(ada, id);
  const abort = new AbortController();
  const readers = await Promise.all(
    Array.from({ length: 8 }, async () => (await fetch(url, abort)).body?.getReader()),
  );
  const later = performance.now() + 5_000;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
  const asked = vi.spyOn(app.services.database, 'connection');
  try {
    for (const reader of readers) {
      let bytes = 0;
      // More than a connection has on its way.
      while (bytes < 16 * 1024 ** 2) bytes += (await reader?.read())?.value?.length ?? 0;
    }
    expect(asked.mock.calls.filter(([org]) => org === ada.user.orgId)).toHaveLength(1);
  } finally {
    vi.restoreAllMocks();
    abort.abort();
  }
});

test('another role that may see recordings keeps its addresses', async () => {
  const { id } = await recordedCall();
  const member = await newMember(app, ada, 'AGENT');
  const url = await urlFor(member, id);
  await ada.call(changeRole, { params: { userId: member.user.id }, body: { role: 'VIEWER' } });
  expect(await statusOf(url)).toBe(206);
});

test('an address that a share gave ends when it is revoked, with a consent, and with the file', async () => {
  const open = async (url: string) => {
    const token = url.split('/').at(-1) ?? '';
    const { people } = await new Visitor(app).call(readShared, { params: { token } });
    return `${origin}${people[0]?.tracks[0]?.files[0]?.url}`;
  };
  const { id, params, participantId, trackId } = await recordedCall();
  const share = () => ada.call(createShare, { params, body: { expiresInDays: 1 } });
  const [one, two] = [await share(), await share()];
  const [first, second, adas] = [await open(one.url), await open(two.url), await urlFor(ada, id)];
  const readOn = await reading(first);
  await ada.call(revokeShare, { params: { id: one.id } });
  expect(await statusOf(first)).toBe(403);
  expect(await readOn()).toBeLessThan(sizeBytes / 2);
  expect(await statusOf(second)).toBe(206);
  await storeConsent(app, { callId: id, participantId, asked: ['recording'], agreed: [] });
  expect([await statusOf(second), await statusOf(adas)]).toEqual([403, 206]);
  await app.owner.query('delete from recorded_tracks where id = $1', [trackId]);
  expect(await statusOf(adas)).toBe(404);
});

test('who and what an address was issued from are signed', async () => {
  const { id, params } = await recordedCall();
  const member = await newMember(app, ada, 'VIEWER');
  const [members, adas] = [new URL(await urlFor(member, id)), new URL(await urlFor(ada, id))];
  const swapped = new URL(members);
  for (const name of ['session', 'account'])
    swapped.searchParams.set(name, adas.searchParams.get(name) ?? '');
  const share = await ada.call(createShare, { params, body: { expiresInDays: 1 } });
  const shared = new URL(members);
  for (const name of ['session', 'account']) shared.searchParams.delete(name);
  shared.searchParams.set('share', share.id);
  for (const forged of [swapped, shared]) expect(await statusOf(forged.href)).toBe(403);
});
