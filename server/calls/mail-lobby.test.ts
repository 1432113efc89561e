import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRoom } from '#domain/rooms/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { guestTokenOf, hello } from '#server/testing/waiting-guest.ts';
import { mailAboutWaiting } from './mail-lobby.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let roomId: string;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  roomId = (await ada.call(createRoom, { body: { topic: 'Review', lobby: true } })).id;
  app.mails.length = 0;
});
afterAll(() => app.close());

async function waiting(name: string) {
  const token = await guestTokenOf(app, ada, roomId);
  const page = await hello(url, token, name);
  await page.until('waiting', ({ since }) => since !== null);
  return Object.assign(page, { guest: String(decodeJwt(token).participantId) });
}
const waitedFor = (guest: string, seconds: number) =>
  app.owner.query(
    `update lobby_entries set waiting_since = now() - $2 * interval '1 second' where participant_id = $1`,
    [guest, seconds],
  );
async function mailed() {
  await mailAboutWaiting(app.services, new Date());
  await sendDueMails(app.services);
  return app.mails;
}

test('the room’s creator gets one mail about a guest who has waited for a minute', async () => {
  const bo = await waiting('Bo');
  await waitedFor(bo.guest, 55);
  expect(await mailed()).toEqual([]);
  await waitedFor(bo.guest, 61);
  await Promise.all([1, 2].map(() => mailAboutWaiting(app.services, new Date())));
  const [mail, ...more] = await mailed();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: ada.user.email, subject: 'A guest is waiting in Review' });
  expect(mail?.text).toContain(`https://calls.example.com/app/rooms/${roomId}/call`);
});

test('R24-A2: a mail about a guest who is erased before it is sent is not sent', async () => {
  const bo = await waiting('Bo');
  await waitedFor(bo.guest, 61);
  await mailAboutWaiting(app.services, new Date());
  const erased = await ada.send('POST', '/api/privacy/erase', { guest: 'Bo' });
  expect(erased.status).toBe(200);
  const { rows } = await app.owner.query('select subject from mails where org_id = $1', [
    ada.user.orgId,
  ]);
  expect(rows).toEqual([]);
  await sendDueMails(app.services);
  expect(app.mails).toEqual([]);
});

const setRole = (role: string) =>
  app.owner.query('update memberships set role = $1 where account_id = $2', [role, ada.user.id]);
const changes: [string, number, () => Promise<unknown>][] = [
  [
    'deleted once its reader is a member no more',
    0,
    () => app.owner.query('delete from memberships where account_id = $1', [ada.user.id]),
  ],
  ['deleted once its reader may admit no guests', 0, () => setRole('VIEWER')],
  ['sent if its reader may still admit guests', 1, () => setRole('AGENT')],
];
test.each(changes)('R28-A3: a mail about a guest that waits is %s', async (_, sent, change) => {
  const bo = await waiting('Bo');
  await waitedFor(bo.guest, 61);
  await mailAboutWaiting(app.services, new Date());
  await change();
  await sendDueMails(app.services);
  expect(app.mails).toHaveLength(sent);
});

test('the mail is in the creator’s language', async () => {
  await app.owner.query(`update accounts set language = 'de' where id = $1`, [ada.user.id]);
  const bo = await waiting('Bo');
  await waitedFor(bo.guest, 61);
  expect((await mailed())[0]?.subject).toBe('Ein Gast wartet in Review');
});

test('no mail is sent about a guest who left or was answered, or to someone who may no longer admit guests', async () => {
  const bo = await waiting('Bo');
  await waitedFor(bo.guest, 61);
  bo.send({ type: 'leave' });
  await bo.closed;
  const cy = await waiting('Cy');
  await waitedFor(cy.guest, 61);
  await app.owner.query(
    `update lobby_entries set state = 'admitted', decided_at = now() where participant_id = $1`,
    [cy.guest],
  );
  expect(await mailed()).toEqual([]);
  const dan = await waiting('Dan');
  await waitedFor(dan.guest, 61);
  const becomes = (role: string) =>
    app.owner.query('update memberships set role = $2 where account_id = $1', [ada.user.id, role]);
  await becomes('VIEWER');
  expect(await mailed()).toEqual([]);
  await becomes('ORGADMIN');
  const eve = await waiting('Eve');
  await waitedFor(eve.guest, 61);
  await app.owner.query('delete from memberships where account_id = $1', [ada.user.id]);
  expect(await mailed()).toEqual([]);
});

test('of a room there is one mail in 15 minutes, however many guests wait', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  try {
    const owner = await newOrganization(strict);
    const { id } = await owner.call(createRoom, { body: { topic: 'Review', lobby: true } });
    const address = await strict.listen();
    strict.mails.length = 0;
    /** A guest comes, and has soon waited for a minute. @returns all mails until then */
    const comes = async (name: string) => {
      const page = await hello(address, await guestTokenOf(strict, owner, id), name);
      await page.until('waiting', ({ since }) => since !== null);
      await strict.owner.query(
        `update lobby_entries set waiting_since = now() - interval '61 seconds'`,
      );
      await mailAboutWaiting(strict.services, new Date());
      await sendDueMails(strict.services);
      return strict.mails.length;
    };
    expect(await comes('Bo')).toBe(1);
    expect(await comes('Cy')).toBe(1);
    await strict.owner.query(`update mail_counts set ends_at = ends_at - interval '14 minutes'`);
    expect(await comes('Dan')).toBe(1);
    await strict.owner.query(`update mail_counts set ends_at = ends_at - interval '2 minutes'`);
    expect(await comes('Eve')).toBe(2);
  } finally {
    await strict.close();
  }
});
