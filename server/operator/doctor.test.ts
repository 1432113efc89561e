import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { Connection } from '#server/platform/database.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { examine } from './doctor.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkMail, checkRedis, checkTurn } from './doctor-network.ts';

let app: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'rapport-doctor-'));
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const owner: Pick<Connection, 'run'> = {
  run: async (statement, values) => (await app.owner.query({ ...statement, values })).rows,
};
const failedIn = async () =>
  (await checkDatabase(owner)).filter(({ state }) => state === 'failed').map(({ what }) => what);

test('the doctor reports a migrated database as ok: version, row-level security, role, and clock', async () => {
  const findings = await checkDatabase(owner);
  expect(findings.map(({ state }) => state)).toEqual(findings.map(() => 'ok'));
  expect(findings.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['Database', 'Migrations', 'Tenant wall', 'Clock']),
  );
});

test('the doctor names a tenant table whose row-level security is not forced', async () => {
  await app.owner.query('alter table rooms no force row level security');
  try {
    expect(await failedIn()).toEqual(['Tenant wall']);
  } finally {
    await app.owner.query('alter table rooms force row level security');
  }
});

test('the doctor reports an application role that can change the audit log', async () => {
  const { rows } = await app.services.database.connection('outside', ({ query }) =>
    query('select current_user as me', []),
  );
  const role = rows[0]?.me;
  await app.owner.query(`grant delete on audit_events to "${role}"`);
  try {
    expect(await failedIn()).toEqual([`Role ${role}`]);
  } finally {
    await app.owner.query(`revoke delete on audit_events from "${role}"`);
  }
});

test('a service that does not answer is reported with what to do, and without its password', async () => {
  // A port that was just released, so nothing listens there.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await new Promise((done) => server.close(done));
  const config = readConfig({
    PUBLIC_URL: 'https://calls.example.com',
    SMTP_URL: `smtp://me:hidden-word@127.0.0.1:${port}`,
    REDIS_URL: `redis://:hidden-word@127.0.0.1:${port}`,
    TURN_URL: `turn:127.0.0.1:${port}?transport=tcp`,
    TURN_SECRET: 'hidden-word',
  });
  const findings = [
    await checkMail(config),
    await checkRedis(config),
    ...(await checkTurn(config)),
  ];
  for (const { state, todo } of findings)
    expect([state, todo]).toEqual(['failed', expect.any(String)]);
  expect(JSON.stringify(findings)).not.toContain('hidden-word');
});

test('without a database the doctor reports that first, and that the other checks need it', async () => {
  writeFileSync(join(folder, 'secret-key'), 'x'.repeat(48));
  chmodSync(join(folder, 'secret-key'), 0o644);
  const { report, isWell } = await examine(readConfig({ DATA_DIR: folder }));
  expect(isWell).toBe(false);
  expect(report).toMatch(/FAILED {3}Database: There is no Rapport in/);
  expect(report).toMatch(
    /FAILED {3}Secret key: .* can be read by other users[^→]*→ Keep them out: chmod 600/,
  );
  expect(report).toMatch(/Disk: [\d.]+ GB free/);
  expect(report).toMatch(/of it must be mended\.$/);
});
