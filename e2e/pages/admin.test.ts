import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiUser } from '../support/api.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

interface Me {
  role: string;
  orgId: string;
}
let program: Program;
let ada: ApiUser;
const me = () => ada.send<Me>('GET', '/api/user');
const plan = async () =>
  (await ada.send<{ plan: string }>('GET', `/api/organizations/${(await me()).orgId}`)).plan;

/** Runs `npm run admin -- …` on a data folder. */
async function admin(args: string[], dataDir = program.dataDir) {
  const { DATABASE_URL: _, ...env } = process.env;
  const done = promisify(execFile)(process.execPath, ['scripts/admin.ts', ...args], {
    env: { ...env, DATA_DIR: dataDir },
  });
  return done.then(
    ({ stdout }) => ({ code: 0, said: stdout.trim() }),
    (error: { code: number; stderr: string; stdout: string }) => ({
      code: error.code,
      said: (error.stderr + error.stdout).trim(),
    }),
  );
}

async function register(email: string, orgName: string): Promise<ApiUser> {
  const user = new ApiUser(program.url);
  const person = { email, password: 'correct horse', firstName: 'Ada', lastName: 'Lovelace' };
  await user.send('POST', '/api/register', { ...person, orgName });
  return user;
}

beforeAll(async () => {
  program = await startProgram();
  ada = await register('ada@acme.example', 'Acme Success');
});
afterAll(async () => {
  if (program) await discard(program);
});

test('grant makes an account SUPERADMIN while the server runs, immediately, with an audit event', async () => {
  expect((await me()).role).toBe('ORGADMIN');
  expect(await admin(['grant', 'Ada@ACME.example'])).toEqual({
    code: 0,
    said: 'ada@acme.example is SUPERADMIN now (was ORGADMIN).',
  });
  expect((await me()).role).toBe('SUPERADMIN');
  const [event] = await ada.send<object[]>('GET', '/api/audit-events');
  expect(event).toMatchObject({
    action: 'ROLE_UPDATED',
    metadata: { role: { from: 'ORGADMIN', to: 'SUPERADMIN' } },
  });
  expect((await admin(['grant', 'ada@acme.example'])).said).toMatch(/already/);
});

test('plan sets Enterprise by the organization’s name, and back by its id', async () => {
  expect(await admin(['plan', 'acme success', 'enterprise'])).toEqual({
    code: 0,
    said: 'Acme Success has the plan enterprise now (was starter).',
  });
  expect(await plan()).toBe('enterprise');
  expect((await ada.send<{ status: string }>('GET', '/api/billing')).status).toBe('active');
  const [event] = await ada.send<object[]>('GET', '/api/audit-events');
  expect(event).toMatchObject({
    action: 'ORGANIZATION_UPDATED',
    metadata: { fields: ['plan'], plan: { from: 'starter', to: 'enterprise' } },
  });
  expect((await admin(['plan', (await me()).orgId, 'starter'])).code).toBe(0);
  expect(await plan()).toBe('starter');
});

test('an impossible command prints a sentence and changes nothing', { tags: 'full' }, async () => {
  await register('eve@acme.example', 'Acme Success');
  const refusals: [string[], RegExp][] = [
    [['grant', 'nobody@acme.example'], /Nobody has the email nobody@acme.example/],
    [['plan', 'Nowhere', 'enterprise'], /No organization has the name or id Nowhere/],
    [['plan', 'Acme Success', 'enterprise'], /Several are named Acme Success[\s\S]*by its id/],
    [['plan', (await me()).orgId, 'platinum'], /There is no plan platinum. Choose one of: starter/],
    [['grant'], /npm run admin -- grant EMAIL/],
    [['drop', 'everything'], /npm run admin -- plan ORG PLAN/],
  ];
  for (const [args, sentence] of refusals) {
    const { code, said } = await admin(args);
    expect([code, said]).toEqual([1, expect.stringMatching(sentence)]);
  }
  expect(await plan()).toBe('starter');
});

test('a folder without Rapport data is left unchanged', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'rapport-empty-'));
  expect(await admin(['grant', 'ada@acme.example'], empty)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/There is no Rapport in .* yet/),
  });
  rmSync(empty, { recursive: true });
});

test('commands work while the server is stopped, and the next start has the change', {
  tags: 'full',
}, async () => {
  await program.stop();
  expect(await admin(['grant', 'eve@acme.example'])).toMatchObject({ code: 0 });
  program = await program.restart();
  const eve = new ApiUser(program.url);
  await eve.send('POST', '/api/login', { email: 'eve@acme.example', password: 'correct horse' });
  expect((await eve.send<Me>('GET', '/api/user')).role).toBe('SUPERADMIN');
});
