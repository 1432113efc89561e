import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRoom } from '#domain/rooms/contract.ts';
import { cancelInvitation, inviteUser, type SentInvitation } from '#domain/team/contract.ts';
import { mailAboutWaiting } from '#server/calls/mail-lobby.ts';
import { ownDomain } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf, hello } from '#server/testing/waiting-guest.ts';
import { countMail } from './limits.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  url = await app.listen();
});
beforeEach(async () => {
  await app.owner.query('delete from mails');
  await app.owner.query('delete from mail_counts');
});
afterAll(() => app.close());

const mailsTo = async (email: string) =>
  (await app.owner.query('select 1 from mails where recipient = $1', [email])).rowCount;
/** Otherwise a mail that waits is deleted with the invitation that the next one replaces. */
const sendAll = () => app.owner.query('update mails set sent_at = now() where sent_at is null');
async function invite(admin: Visitor, email: string): Promise<SentInvitation> {
  const made = await admin.call(inviteUser, { body: { email, role: 'AGENT' } });
  await sendAll();
  return made;
}

test('an organization mails an address at most three invitations a day; a fourth only has its link', async () => {
  const ada = await newOrganization(app);
  for (let sent = 0; sent < 3; sent += 1)
    expect(await invite(ada, 'linus@example.com')).toMatchObject({ mailed: true });
  const fourth = await invite(ada, 'linus@example.com');
  expect(fourth).toMatchObject({ mailed: false, mailLimitReached: true, url: expect.any(String) });
  const { status } = await ada.send(
    'GET',
    fourth.url.replace(/^.*\/invite\//, '/api/invitations/'),
  );
  expect(status).toBe(200);
  expect(await mailsTo('linus@example.com')).toBe(3);
});

test('all organizations mail an address twenty invitations a day in total, besides the owner of its domain', async () => {
  const address = 'grace@employer.example';
  const employer = await newOrganization(app);
  const admins = await Promise.all(Array.from({ length: 7 }, () => newOrganization(app)));
  const sent: boolean[] = [];
  for (const admin of [...admins, ...admins, ...admins])
    sent.push((await invite(admin, address)).mailed);
  expect(sent.filter(Boolean)).toHaveLength(20);
  expect(await invite(employer, address)).toMatchObject({ mailed: false });
  await ownDomain(app, employer, 'employer.example');
  for (let own = 0; own < 3; own += 1)
    expect(await invite(employer, address)).toMatchObject({ mailed: true });
  expect(await invite(employer, address)).toMatchObject({ mailed: false });
  expect(await mailsTo(address)).toBe(23);
});

test('resending counts as well: beyond the limit it gets 429, and the link that was sent still works', async () => {
  const ada = await newOrganization(app);
  const first = await invite(ada, 'linus@example.com');
  const again = async () => {
    const reply = await ada.send('POST', `/api/invitations/${first.id}/resend`);
    await sendAll();
    return reply;
  };
  expect((await again()).status).toBe(200);
  const last = await again();
  expect(last.status).toBe(200);
  const refused = await again();
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'too_many_invitation_mails', message: expect.stringContaining('still works') },
  });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3600);
  const { url: link } = last.body as { url: string };
  const kept = await ada.send('GET', link.replace(/^.*\/invite\//, '/api/invitations/'));
  expect(kept.status).toBe(200);
  expect(await mailsTo('linus@example.com')).toBe(3);
});

test('an admin mails at most fifty invitations an hour, even if some are canceled or erased', async () => {
  const ada = await newOrganization(app);
  const sent: boolean[] = [];
  for (let count = 0; count < 52; count += 1) {
    const email = `many-${count}@example.com`;
    const made = await invite(ada, email);
    sent.push(made.mailed);
    if (count % 10 === 0) await ada.call(cancelInvitation, { params: { id: made.id } });
    if (count % 10 === 1) await ada.send('POST', '/api/privacy/erase', { guest: email });
  }
  expect(sent.filter(Boolean)).toHaveLength(50);
  const colleague = await newMember(app, ada, 'ORGADMIN');
  expect(await invite(colleague, 'other@example.com')).toMatchObject({ mailed: true });
});

test('counts hold for every process, and concurrent requests do not exceed the limit', async () => {
  const other = app.openDatabase();
  const limits = [
    { key: ['a'], most: 3, seconds: 60 },
    { key: ['b'], most: 100, seconds: 60 },
  ];
  const waits = await Promise.all(
    [app.services.database, other, app.services.database, other, other].map((database) =>
      database.transaction('outside', (tx) => countMail(tx, app.services.config, limits)),
    ),
  );
  await other.close();
  expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
  expect(waits.filter((wait) => wait > 0 && wait <= 60)).toHaveLength(2);
});

test('after a window ends, counting starts again', async () => {
  const limits = [{ key: ['c'], most: 1, seconds: 60 }];
  const count = () =>
    app.services.database.transaction('outside', (tx) =>
      countMail(tx, app.services.config, limits),
    );
  expect([await count(), (await count()) > 0]).toEqual([0, true]);
  await app.owner.query(`update mail_counts set ends_at = now() - interval '1 second'`);
  expect(await count()).toBe(0);
});

/** A guest who has waited in the room's lobby for a minute. */
async function waitAMinute(staff: Visitor, room: string, name: string, linkId?: string) {
  const page = await hello(url, await guestTokenOf(app, staff, room), name);
  await page.until('waiting', ({ since }) => since !== null);
  await app.owner.query(
    `update lobby_entries set waiting_since = now() - interval '61 seconds',
      guest_link_id = coalesce($2, guest_link_id) where room_id = $1`,
    [room, linkId ?? null],
  );
  await mailAboutWaiting(app.services, new Date());
  return page;
}

test('guests of an open room cause at most one mail in 15 minutes, without their names in the subject', async () => {
  const ada = await newOrganization(app);
  const { id } = await ada.call(createRoom, { body: { topic: 'Review', lobby: true } });
  const pages = [];
  for (const name of ['Pay your invoice at evil.test', 'Bo', 'Cy'])
    pages.push(await waitAMinute(ada, id, name));
  const { rows } = await app.owner.query(
    'select subject, body_text from mails where recipient = $1',
    [ada.user.email],
  );
  expect(rows).toEqual([
    {
      subject: 'A guest is waiting in Review',
      body_text: expect.stringMatching(/^A guest is waiting/),
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain('evil');
  for (const page of pages) await page.drop();
});

test('guests without a named link cause at most six mails a day to an owner; a guest with one is still mailed', async () => {
  const ada = await newOrganization(app);
  const rooms = [];
  for (let count = 0; count < 8; count += 1)
    rooms.push(await ada.call(createRoom, { body: { topic: `Room ${count}`, lobby: true } }));
  const pages = [];
  for (const { id } of rooms) pages.push(await waitAMinute(ada, id, 'Bo'));
  expect(await mailsTo(ada.user.email)).toBe(6);
  const room = rooms[7]?.id ?? '';
  const made = await ada.send('POST', `/api/rooms/${room}/guest-links`, { name: 'For Acme' });
  const { id: linkId } = made.body as { id: string };
  await app.owner.query('update lobby_entries set mailed_at = null where room_id = $1', [room]);
  pages.push(await waitAMinute(ada, room, 'Cy', linkId));
  expect(await mailsTo(ada.user.email)).toBe(7);
  for (const page of pages) await page.drop();
});
