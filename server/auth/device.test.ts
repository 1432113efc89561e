import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

type Person = Awaited<ReturnType<typeof newOrganization>>;

const firefox = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const signIn = (visitor: Visitor, email: string, password = 'correct horse') =>
  visitor.send('POST', '/api/login', { email, password }, firefox);

async function newDeviceMails({ user }: Person) {
  await sendDueMails(app.services);
  return app.mails.filter(({ to, subject }) => to === user.email && subject.includes('sign-in'));
}

/** The latest sign-in events of a person's organization, newest first. */
async function events({ user }: Person) {
  const { rows } = await app.owner.query(
    `select action, actor_kind, actor_id, entity_id, address, metadata from audit_events
      where org_id = $1 and action like 'SIGN%' order by id desc`,
    [user.orgId],
  );
  return rows;
}

test('a sign-in from a new device is mailed; the first device and known ones are not', async () => {
  const ada = await newOrganization(app);
  expect(await newDeviceMails(ada)).toEqual([]);
  const laptop = new Visitor(app);
  await signIn(laptop, ada.user.email);
  const [mail, ...more] = await newDeviceMails(ada);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('New sign-in to your Rapport account');
  expect(mail?.text).toContain('Firefox on Linux');
  expect(mail?.text).toContain('Address 127.0.0.1');
  expect(mail?.text).toContain('https://calls.example.com/app/settings/profile');
  await laptop.send('POST', '/api/logout');
  await signIn(laptop, ada.user.email);
  expect(await newDeviceMails(ada)).toHaveLength(1);
});

test('a device cookie that is forged or sent by another browser counts as a new device', async () => {
  const ada = await newOrganization(app);
  const laptop = new Visitor(app);
  await signIn(laptop, ada.user.email);
  expect(await newDeviceMails(ada)).toHaveLength(1);
  const cookie = laptop.others.get('rapport_device') ?? '';
  const forged = new Visitor(app);
  forged.others.set('rapport_device', `${cookie.split('.')[0]}.AAAA`);
  await signIn(forged, ada.user.email);
  expect(await newDeviceMails(ada)).toHaveLength(2);
  const stolen = new Visitor(app);
  stolen.others.set('rapport_device', cookie);
  const { user } = ada;
  await stolen.send('POST', '/api/login', { email: user.email, password: 'correct horse' });
  expect(await newDeviceMails(ada)).toHaveLength(3);
});

test('a sign-in, a failed sign-in, and a sign-out each leave an audit event with the address', async () => {
  const ada = await newOrganization(app);
  const laptop = new Visitor(app);
  await signIn(laptop, ada.user.email, 'not that one');
  // Stored after the answer, whose time does not tell whether the address has an account.
  await expect.poll(async () => (await events(ada)).length).toBe(2);
  await signIn(laptop, ada.user.email);
  await laptop.send('POST', '/api/logout');
  const self = { actor_kind: 'user', actor_id: ada.user.id, entity_id: ada.user.id };
  const how = { method: 'password', twoFactors: false };
  expect(await events(ada)).toEqual([
    { ...self, action: 'SIGNED_OUT', address: '127.0.0.1', metadata: null },
    { ...self, action: 'SIGNED_IN', address: '127.0.0.1', metadata: how },
    {
      ...self,
      action: 'SIGN_IN_FAILED',
      address: '127.0.0.1',
      metadata: { method: 'password', reason: 'wrong_credentials' },
    },
    {
      ...self,
      action: 'SIGNED_IN',
      address: '127.0.0.1',
      metadata: { ...how, method: 'register' },
    },
  ]);
});

test('an account without an organization can sign in, and leaves no audit event', async () => {
  const ada = await newOrganization(app);
  await app.owner.query('delete from memberships where account_id = $1', [ada.user.id]);
  const before = (await events(ada)).length;
  expect(await signIn(new Visitor(app), ada.user.email, 'wrong one')).toMatchObject({
    status: 401,
  });
  expect(await signIn(new Visitor(app), ada.user.email)).toMatchObject({
    status: 200,
    body: { orgId: null },
  });
  expect(await events(ada)).toHaveLength(before);
});

test('an unverified address gets no mail about a new device', async () => {
  const victim = await newOrganization(app);
  await app.owner.query('update accounts set email_verified_at = null where id = $1', [
    victim.user.id,
  ]);
  await signIn(new Visitor(app), victim.user.email);
  expect(await newDeviceMails(victim)).toEqual([]);
});

test('mails about new devices stop at five an hour and twenty a day, and the next one has the full count', async () => {
  const ada = await newOrganization(app);
  const signInFromNew = async (times: number) => {
    for (let turn = 0; turn < times; turn += 1) await signIn(new Visitor(app), ada.user.email);
    return newDeviceMails(ada);
  };
  const endTheHour = () =>
    app.owner.query(
      `update mail_counts set ends_at = now() - interval '1 second'
       where ends_at < now() + interval '2 hours'`,
    );
  expect(await signInFromNew(8)).toHaveLength(5);
  await endTheHour();
  const mails = await signInFromNew(1);
  expect(mails).toHaveLength(6);
  expect(mails.at(-1)?.text).toContain('In the last 24 hours 10 new devices signed in.');
  for (let hours = 0; hours < 4; hours += 1) {
    await signInFromNew(5);
    await endTheHour();
  }
  expect(await newDeviceMails(ada)).toHaveLength(20);
});
