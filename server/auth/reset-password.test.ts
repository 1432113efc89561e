import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { requestTimeouts } from '#server/platform/database-timeouts.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { forgetResets, requestReset } from './reset-password.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

const ask = (email: string, headers = {}) =>
  new Visitor(app).send('POST', '/api/forgot-password', { email }, headers);
const reset = (token: string, password = 'a new password') =>
  new Visitor(app).send('POST', `/api/reset-password/${token}`, { password });

const mailed = (email: string, nth?: number) => mailedToken(app, email, 'reset-password', nth);

test('attack 21: the mailed link sets the password once and ends every session', async () => {
  const ada = await newOrganization(app);
  await ask(ada.user.email);
  const token = await mailed(ada.user.email);
  expect(await reset(token)).toMatchObject({ status: 200, body: { email: ada.user.email } });
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 401 });
  const sign = (password: string) =>
    new Visitor(app).send('POST', '/api/login', { email: ada.user.email, password });
  expect(await sign('a new password')).toMatchObject({ status: 200 });
  expect(await sign('correct horse')).toMatchObject({ status: 401 });
  expect(await reset(token)).toMatchObject({ status: 410 });
  await sendDueMails(app.services);
  const subjects = app.mails.filter(({ to }) => to === ada.user.email).map((mail) => mail.subject);
  expect(subjects).toContain('The password of your Rapport account was reset');
});

test('attack 21: a new request supersedes the first link; forged and expired links are refused', async () => {
  const ada = await newOrganization(app);
  await ask(ada.user.email);
  const first = await mailed(ada.user.email);
  await ask(ada.user.email);
  const second = await mailed(ada.user.email, 2);
  expect(await reset(first)).toMatchObject({ status: 410 });
  expect(await reset('forged')).toMatchObject({ status: 404 });
  await app.owner.query("update password_resets set expires_at = now() - interval '1 second'");
  expect(await reset(second)).toMatchObject({ status: 410 });
});

test('an address without an account gets the same answer, and no mail', async () => {
  expect(await ask('nobody@example.com')).toMatchObject({ status: 204, body: '' });
  await sendDueMails(app.services);
  expect(app.mails.some((mail) => mail.to === 'nobody@example.com')).toBe(false);
});

test('attack 19: the link has the configured address, whatever the Host header', async () => {
  const ada = await newOrganization(app);
  const refused = await ask(ada.user.email, { host: 'evil.example' });
  expect(refused).toMatchObject({ status: 421, body: { code: 'unknown_host' } });
  await ask(ada.user.email, { host: '203.0.113.7', 'x-forwarded-host': 'evil.example' });
  await mailed(ada.user.email);
  const text = app.mails.at(-1)?.text ?? '';
  expect(text).toContain('https://calls.example.com/reset-password/');
  expect(text).not.toContain('evil');
});

test('attack 20: a request with several addresses is refused, and no mail is stored', async () => {
  const before = await app.owner.query('select count(*) from mails');
  const refused = await new Visitor(app).send('POST', '/api/forgot-password', {
    email: ['victim@example.com', 'attacker@example.com'],
  });
  expect(refused).toMatchObject({ status: 400 });
  expect((await app.owner.query('select count(*) from mails')).rows).toEqual(before.rows);
});

test('the reset mail is in the account’s language, and in English if none is set', async () => {
  const ada = await newOrganization(app);
  await ask(ada.user.email);
  await mailed(ada.user.email);
  await ada.send('PUT', '/api/user', { language: 'de' });
  await ask(ada.user.email);
  await mailed(ada.user.email, 2);
  const [english, german] = app.mails.filter((mail) => mail.to === ada.user.email);
  expect(english?.subject).toBe('Reset your Rapport password');
  expect(german?.subject).toBe('Setzen Sie Ihr Rapport-Passwort zurück');
  expect(german?.html).toContain('<html lang="de">');
});

test('a link is deleted 30 days after it expired; until then it is refused as expired', async () => {
  const ada = await newOrganization(app);
  await ask(ada.user.email);
  const token = await mailed(ada.user.email);
  await app.owner.query("update password_resets set expires_at = now() - interval '30 days'");
  const { database } = app.services;
  await forgetResets(database, new Date(Date.now() - 60_000));
  expect(await reset(token)).toMatchObject({ status: 410 });
  await forgetResets(database, new Date(Date.now() + 60_000));
  expect(await reset(token)).toMatchObject({ status: 404 });
});

test.each([
  ['twice', 2, 1],
  ['for good', 3, 0],
])(
  'a request while the account is locked %s is tried again, three times at most',
  async (_, refusals, mails) => {
    const { user } = await newOrganization(app);
    const impatient = app.openDatabase(2, { ...requestTimeouts, lock_timeout: 100 });
    let refused = 0;
    const transaction: typeof impatient.transaction = (...given) =>
      impatient.transaction(...given).catch(async (error) => {
        refused += 1;
        if (refused === refusals) await app.owner.query('commit');
        throw error;
      });
    await app.owner.query('begin');
    await app.owner.query('select 1 from accounts where id = $1 for update', [user.id]);
    const asking = requestReset(
      { ...impatient, transaction },
      user.email,
      'https://a.example',
      true,
    );
    if (mails === 0) await expect(asking).rejects.toThrow('lock timeout');
    else await asking;
    expect(refused).toBe(refusals);
    const { rowCount } = await app.owner.query('select 1 from mails where recipient = $1', [
      user.email,
    ]);
    expect(rowCount).toBe(mails);
    await impatient.close();
  },
);
