import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  confirmTwoFactor,
  removeTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
} from '#domain/two-factor/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { insertPasskey } from '#server/passkeys/store.ts';
import { tenantOf } from '#server/platform/access.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { joinedEmail } from './joined-email.ts';
import { mailAccount, type SecurityMail } from './mail-account.ts';
import { requestReset } from './reset-password.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

type Person = Awaited<ReturnType<typeof newOrganization>>;

/** The subjects of the mails that a person received about changes, oldest first. */
async function told({ user }: Person) {
  await sendDueMails(app.services);
  return app.mails
    .filter(({ to, subject }) => to === user.email && !subject.startsWith('New sign-in'))
    .map(({ subject }) => subject);
}

async function sessionOf(account: string): Promise<{ id: string }> {
  const { rows } = await app.owner.query(
    'select id from sessions where account_id = $1 order by created_at limit 1',
    [account],
  );
  return rows[0];
}

/** Inserts a passkey as the route does after it has verified one. */
const addPasskey = async ({ user }: Person, name: string) =>
  insertPasskey(
    app.services.database,
    {
      user,
      session: await sessionOf(user.id),
      address: '203.0.113.7',
      publicUrl: 'https://calls.example.com',
    },
    {
      credentialId: `key of ${user.id} ${name}`,
      publicKey: Buffer.from('key'),
      counter: 0,
      transports: [],
      name,
      backedUp: false,
    },
  );

test('adding and removing a passkey is mailed to the owner, with its name and address', async () => {
  const ada = await newOrganization(app);
  const { id } = await addPasskey(ada, 'Laptop');
  expect(await told(ada)).toEqual(['A passkey was added to your Rapport account']);
  expect(app.mails.at(-1)?.text).toMatch(/Passkey: Laptop\n.* UTC\nAddress 203\.0\.113\.7/);
  expect(app.mails.at(-1)?.text).toContain('https://calls.example.com/app/settings/profile');
  expect((await ada.send('DELETE', `/api/user/passkeys/${id}`)).status).toBe(204);
  expect((await ada.send('DELETE', `/api/user/passkeys/${id}`)).status).toBe(404);
  expect((await told(ada)).slice(1)).toEqual(['A passkey was removed from your Rapport account']);
});

test('the name of a passkey cannot put a link into the mail', async () => {
  const ada = await newOrganization(app);
  await addPasskey(ada, 'Confirm at evil.test');
  await told(ada);
  expect(app.mails.at(-1)?.text).not.toContain('evil');
});

test('a password change is mailed to the owner; an attempt with a wrong password is not', async () => {
  const ada = await newOrganization(app);
  const change = (currentPassword: string) =>
    ada.send('PUT', '/api/user/password', { currentPassword, newPassword: 'battery staple' });
  expect((await change('not it')).status).toBe(400);
  expect(await told(ada)).toEqual([]);
  expect((await change('correct horse')).status).toBe(204);
  expect(await told(ada)).toEqual(['The password of your Rapport account was changed']);
});

test('each change of the second factor and its recovery codes is mailed in the owner’s language', async () => {
  const ada = await newOrganization(app);
  await app.owner.query(`update accounts set language = 'de' where id = $1`, [ada.user.id]);
  const { secret } = await ada.call(startTwoFactor);
  expect(await told(ada)).toEqual([]);
  const body = { code: generateSync({ secret }) };
  await ada.call(confirmTwoFactor, { body });
  const { recoveryCodes } = await ada.call(renewRecoveryCodes);
  const other = new Visitor(app);
  await other.send('POST', '/api/login', { email: ada.user.email, password: 'correct horse' });
  await other.send('POST', '/api/login/second-factor', { code: recoveryCodes[0] });
  await ada.call(removeTwoFactor);
  const subjects = (await told(ada)).filter((subject) => !subject.startsWith('Neue Anmeldung'));
  expect([...subjects].sort()).toEqual(
    [
      'Die Zwei-Faktor-Anmeldung Ihres Rapport-Kontos wurde eingeschaltet',
      'Ihr Rapport-Konto hat neue Wiederherstellungscodes',
      'Ein Wiederherstellungscode Ihres Rapport-Kontos wurde verwendet',
      'Die Zwei-Faktor-Anmeldung Ihres Rapport-Kontos wurde ausgeschaltet',
    ].sort(),
  );
});

test('mails about account changes are security mails, stored in the transaction of the change', async () => {
  const ada = await newOrganization(app);
  await addPasskey(ada, 'Laptop');
  const { rows } = await app.owner.query(
    'select kind, org_id, account_id from mails where recipient = $1',
    [ada.user.email],
  );
  expect(rows).toEqual([{ kind: 'security', org_id: null, account_id: ada.user.id }]);
  await expect(addPasskey(ada, 'Laptop')).rejects.toThrow('already added');
  const after = await app.owner.query('select 1 from mails where recipient = $1', [ada.user.email]);
  expect(after.rowCount).toBe(1);
});

test('mails about one kind of change stop at thirty a day; requested resets are still mailed', async () => {
  const ada = await newOrganization(app);
  for (let turn = 0; turn < 32; turn += 1) {
    await addPasskey(ada, `Key ${turn}`);
    await app.owner.query('delete from passkeys where account_id = $1', [ada.user.id]);
  }
  expect(await told(ada)).toHaveLength(30);
  await new Visitor(app).send('POST', '/api/forgot-password', { email: ada.user.email });
  await expect.poll(async () => (await told(ada)).at(-1)).toBe('Reset your Rapport password');
  for (let turn = 0; turn < 40; turn += 1) {
    await requestReset(app.services.database, ada.user.email, 'https://calls.example.com', true);
  }
  expect((await told(ada)).filter((subject) => subject.startsWith('Reset'))).toHaveLength(41);
});

test('mails that an organization causes by taking accounts in stop at 5000 a day, and only its own', async () => {
  const [acme, other] = [await newOrganization(app), await newOrganization(app)];
  const content = joinedEmail('en', 'verifiedDomain', 'https://calls.example.com');
  /** Mails a person whose own counts are at zero, and returns what arrived. */
  const mailed = async (cause: Person, what: SecurityMail) => {
    const person = await newOrganization(app);
    const { orgId } = cause.user;
    if (orgId === null) throw new Error('the cause has an organization');
    const actor = { kind: 'system' as const, name: 'test', orgId };
    await tenantOf(app.services.database, actor, null).transaction((tx) =>
      mailAccount(tx, person.user, what, content),
    );
    return (await told(person)).length;
  };
  expect(await mailed(acme, 'joined')).toBe(1);
  await app.owner.query('update mail_counts set count = 4999');
  expect(await mailed(acme, 'addressMoved')).toBe(1);
  expect(await mailed(acme, 'joined')).toBe(0);
  expect(await mailed(acme, 'signInSettings'), 'of another kind').toBe(1);
  expect(await mailed(other, 'joined'), 'of another organization').toBe(1);
});
