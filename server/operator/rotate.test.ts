import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/platform/database.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import { openSecrets, replaceKeptSecret, secretsFrom } from '#server/platform/secrets.ts';
import { guestToken, readGuestToken } from '#server/rooms/guest-link.ts';
import { mintMeetingToken, readMeetingToken } from '#server/rooms/meeting-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { rotate } from './rotate.ts';
import { sealedColumns } from './sealed-columns.ts';

let app: TestApp;
let database: Database;
const folder = mkdtempSync(join(tmpdir(), 'rapport-rotate-'));
beforeAll(async () => {
  app = await openTestApp();
  database = app.openDatabase();
});
afterAll(async () => {
  await database.close();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const former = 'the secret of last year, long enough to be one';
const today = 'the secret of today, which is long enough, too';

test('the list of sealed columns matches the database', async () => {
  const { rows } = await app.owner.query<{ name: string }>(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name ~ '(^|_)sealed(_|$)' order by 1`,
  );
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`).sort();
  expect(listed, 'add it to server/operator/sealed-columns.ts').toEqual(
    rows.map(({ name }) => name),
  );
});

test('after rotate, the former secret is no longer needed, and sessions continue', async () => {
  const ada = await newOrganization(app);
  const sealed = seal(secretsFrom(former), 'totp', ada.user.id, 'JBSWY3DPEHPK3PXP');
  await app.owner.query('insert into totp_factors (account_id, sealed_secret) values ($1, $2)', [
    ada.user.id,
    sealed,
  ]);
  const both = secretsFrom(today, [former]);
  expect(await rotate(database, both)).toMatch(/^1 of 1 sealed secrets/);
  expect(await rotate(database, both)).toMatch(/^0 of 1 sealed secrets/);
  const { rows } = await app.owner.query('select sealed_secret from totp_factors');
  const stored = rows[0]?.sealed_secret;
  expect(unseal(secretsFrom(today), 'totp', ada.user.id, stored)).toBe('JBSWY3DPEHPK3PXP');
  expect((await ada.send('GET', '/api/user')).status).toBe(200);
});

test('without the former secret, rotate changes nothing and names the missing setting', async () => {
  await expect(
    rotate(database, secretsFrom('a third one, which is long enough as well')),
  ).rejects.toThrow(/add the former SECRET_KEY/);
});

test('guest links and meeting tokens of the former secret work while it is configured', async () => {
  const { user } = await newOrganization(app);
  const [org, id] = [user.orgId as never, '01900000-0000-7000-8000-000000000001' as never];
  const rotated = secretsFrom(today, [former]);
  const link = guestToken(secretsFrom(former), org, id);
  expect(readGuestToken(rotated, link)).toEqual({ orgId: org, guestLinkId: id });
  expect(readGuestToken(secretsFrom(today), link)).toBe(null);
  const claims = {
    kind: 'staff' as const,
    participantId: id,
    orgId: org,
    roomId: id,
    accountId: id,
    sessionId: id,
  };
  const token = await mintMeetingToken(secretsFrom(former), claims);
  expect(await readMeetingToken(rotated, token)).toMatchObject({ kind: 'staff' });
  expect(await readMeetingToken(secretsFrom(today), token)).toBe(null);
});

test('a new secret in the data folder: the former one stays readable, both for the owner alone', () => {
  const sealed = seal(openSecrets({}, folder), 'totp', 'ada', 'kept');
  replaceKeptSecret(folder);
  const secrets = openSecrets({}, folder);
  expect(unseal(secrets, 'totp', 'ada', sealed)).toBe('kept');
  expect(secrets.keys('totp').length).toBe(2);
  for (const name of ['secret-key', 'secret-key.previous'])
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
});
