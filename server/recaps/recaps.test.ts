import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import {
  changeOwnRecaps,
  changeRecapSettings,
  readRecapSettings,
} from '#domain/recaps/contract.ts';
import { loadSamples } from '#domain/samples/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import { smtpServer } from '#server/providers/mail/smtp.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { SmtpReceiver } from '#server/testing/smtp-receiver.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';
import { mailRecaps } from './mail-recaps.ts';

type Member = Awaited<ReturnType<typeof newOrganization>>;
let app: TestApp;
let ada: Member;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.owner.query('delete from mails');
  await app.owner.query('delete from recap_settings');
  app.mails.length = 0;
  ada = await newOrganization(app);
});

const choose = async (recipients: string) => {
  await ada.call(changeRecapSettings, { body: { recipients } });
  await app.owner.query(`update recap_settings set enabled_at = now() - interval '1 day'`);
};
/** A call that ended so many minutes ago. */
async function endedCall(by: Visitor = ada, minutesAgo = 20) {
  const { call, room } = await runningCall(by);
  const body = { endedAt: new Date().toISOString(), endForEveryone: true, npsScore: 8 };
  await by.call(updateCall, { params: { id: call.id }, body });
  await app.owner.query(
    `update calls set started_at = now() - make_interval(mins => $2 + 30),
       ended_at = now() - make_interval(mins => $2), duration_sec = 1800 where id = $1`,
    [call.id, minutesAgo],
  );
  return { ...call, room };
}
const summarize = (callId: string, state = 'ready') =>
  app.owner.query(
    `insert into call_insights (call_id, org_id, state, insights, generated_at)
       select id, org_id, $2, $3, now() from calls where id = $1`,
    [
      callId,
      state,
      state === 'empty'
        ? null
        : {
            summary: [
              {
                text: 'They want to renew.',
                cites: [{ kind: 'note', line: 1, quote: 'spoken words' }],
              },
            ],
            topics: null,
            questions: null,
            talk: null,
            isPartial: false,
          },
    ],
  );
const addItems = async (callId: string, count: number, title: string) => {
  await app.owner.query(
    `insert into action_item_lists (call_id, org_id) select id, org_id from calls where id = $1
       on conflict do nothing`,
    [callId],
  );
  await app.owner.query(
    `insert into action_items (id, org_id, call_id, position, priority, confidence, title, description, owner, due_on)
       select gen_random_uuid(), org_id, id, n, 'high', 1, $3 || ' ' || n, 'quoted words', 'Gus', '2026-12-01'
       from calls, generate_series(1, $2) n where id = $1`,
    [callId, count, title],
  );
};
async function send() {
  await mailRecaps(app.services);
  await sendDueMails(app.services);
  return app.mails.map(({ to }) => to).toSorted();
}
const only = () => {
  const [mail, ...more] = app.mails;
  if (!mail || more.length > 0) throw new Error('One mail was expected.');
  return mail;
};

test('the agent gets the recap once, with score, summary, and action items, and nothing else that was said', async () => {
  await choose('agent');
  const call = await endedCall();
  await storeTranscriptLine(app, call.id, { text: 'Something confidential' });
  await summarize(call.id);
  await addItems(call.id, 1, 'Send the offer');
  expect(await send()).toEqual([ada.user.email]);
  const { subject, text, html } = only();
  expect(subject).toBe('Call recap: Kick-off');
  for (const part of [
    '30 min',
    'Team’s rating: 8 of 10',
    'They want to renew.',
    'Send the offer 1 · Gus · due Dec 1, 2026',
    `https://calls.example.com/app/calls/${call.id}`,
  ])
    for (const body of [text, html]) expect(body).toContain(part);
  expect(text + html).not.toMatch(/spoken words|quoted words|confidential/);
  expect(html).not.toMatch(/(src|background|srcset)="?https?:|url\(|@import|<link/i);
  expect(await send()).toHaveLength(1);
});

test('all staff get it in their languages, besides those who turned it off; nobody where it is off', async () => {
  const [ben, cleo] = [await newMember(app, ada, 'AGENT'), await newMember(app, ada, 'VIEWER')];
  await app.owner.query(`update accounts set language = 'de' where id = $1`, [ben.user.id]);
  await cleo.call(changeOwnRecaps, { body: { isOptedOut: true } });
  await endedCall();
  expect(await send(), 'nobody, by default').toEqual([]);
  await choose('staff');
  await newMember(app, ada, 'AGENT').then(({ user }) =>
    app.owner.query('update accounts set email_verified_at = null where id = $1', [user.id]),
  );
  expect(await send()).toEqual([ada.user.email, ben.user.email].toSorted());
  const german = app.mails.find(({ to }) => to === ben.user.email);
  expect(german?.subject).toBe('Zusammenfassung zu Kick-off');
  expect(german?.html).toContain('<html lang="de">');
});

test('it waits for the summary, at most a quarter of an hour, and at least two minutes', async () => {
  await choose('agent');
  await endedCall(ada, 1).then(({ id }) => summarize(id));
  const waiting = await endedCall(ada, 10);
  expect(await send()).toEqual([]);
  await summarize(waiting.id, 'empty');
  expect(await send()).toHaveLength(1);
  await endedCall(ada, 16);
  expect(await send()).toHaveLength(2);
});

test('internal calls, sample calls, and calls from before it was turned on have none', async () => {
  await ada.call(changeRecapSettings, { body: { recipients: 'agent' } });
  await endedCall();
  expect(await send(), 'from before').toEqual([]);
  await choose('agent');
  await app.owner.query('delete from calls where org_id = $1', [ada.user.orgId]);
  await ada.call(loadSamples, { body: { language: 'en' } });
  await app.owner.query(
    `update calls set ended_at = now() - interval '20 minutes' where org_id = $1 and ended_at is not null`,
    [ada.user.orgId],
  );
  const internal = await endedCall();
  await app.owner.query(
    'update calls set attendance_known = true, opened_at = now() where id = $1',
    [internal.id],
  );
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, account_id, name)
       values (gen_random_uuid(), $1, $2, 'staff', $3, 'Ada')`,
    [ada.user.orgId, internal.id, ada.user.id],
  );
  expect(await send()).toEqual([]);
});

test('a call with the most action items makes a mail of bounded size; hostile names stay text', async () => {
  await choose('agent');
  const call = await endedCall();
  await app.owner.query('update rooms set topic = $2 where id = $1', [
    call.room.id,
    'Pay at https://evil.test\r\nBcc: x@evil.test',
  ]);
  await addItems(call.id, 500, `<b>\u202Ex</b>${'long '.repeat(400)}`);
  await send();
  const { subject, text, html } = only();
  expect(subject).toBe('Call recap: your call');
  expect(html.length).toBeLessThan(20_000);
  expect(text.match(/^- /gm)).toHaveLength(21);
  expect(text).toContain('180 more in Rapport');
  expect(text + html).not.toMatch(/<b>x|\u202E/);
  expect(text + html).not.toContain('evil');
});

test('one POST without a session unsubscribes the recipient, and following the link does not (RFC 8058)', async () => {
  const receiver = await new SmtpReceiver().open();
  try {
    await choose('agent');
    await endedCall();
    await mailRecaps(app.services);
    const mail = smtpServer(receiver.url, 'calls@example.com');
    await sendDueMails({ ...app.services, mail });
  } finally {
    await receiver.close();
  }
  const headers = receiver.received[0]?.raw.split('\r\n\r\n')[0]?.replaceAll(/\r\n\s+/g, '') ?? '';
  const url =
    /^List-Unsubscribe: ?<https:\/\/calls\.example\.com(\/\S+)>$/m.exec(headers)?.[1] ?? '';
  expect(headers).toMatch(/^List-Unsubscribe-Post: ?List-Unsubscribe=One-Click$/m);
  const post = (path: string) =>
    app.http.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
  const isOff = async () => (await ada.call(readRecapSettings)).isOptedOut;
  const followed = await app.http.inject({ method: 'GET', url });
  expect(followed.headers.location).toBe('/app/settings/profile');
  expect((await post(`${url.slice(0, -2)}xx`)).statusCode).toBe(404);
  expect(await isOff()).toBe(false);
  expect((await post(url)).statusCode).toBe(200);
  expect((await post(url)).statusCode).toBe(200);
  expect(await isOff()).toBe(true);
  await endedCall();
  expect(await send()).toEqual([]);
  await ada.call(changeOwnRecaps, { body: { isOptedOut: false } });
  await endedCall();
  expect(await send()).toEqual([ada.user.email]);
});

test('a recap that was not sent yet is deleted with its call, and when a person is erased', async () => {
  await choose('agent');
  const first = await endedCall();
  await endedCall();
  await mailRecaps(app.services);
  const unsent = async () => (await app.owner.query('select from mails')).rowCount;
  expect(await unsent()).toBe(2);
  await app.owner.query('delete from calls where id = $1', [first.id]);
  expect(await unsent()).toBe(1);
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name)
       select gen_random_uuid(), org_id, id, 'guest', 'Gus' from calls where org_id = $1`,
    [ada.user.orgId],
  );
  expect((await ada.send('POST', '/api/privacy/erase', { guest: 'Gus' })).status).toBeLessThan(300);
  expect(await unsent()).toBe(0);
});

test('R17-1: a recap that waits for the mail server is not sent to someone who was removed or has opted out', async () => {
  const [eve, bob] = [await newMember(app, ada, 'VIEWER'), await newMember(app, ada, 'AGENT')];
  await app.owner.query('update accounts set email_verified_at = now()');
  await choose('staff');
  await endedCall();
  await mailRecaps(app.services);
  await ada.call(removeUser, { params: { id: eve.user.id } });
  await bob.call(changeOwnRecaps, { body: { isOptedOut: true } });
  await sendDueMails(app.services);
  const recaps = app.mails.filter(({ subject }) => subject.startsWith('Call recap'));
  expect(recaps.map(({ to }) => to)).toEqual([ada.user.email]);
});

test('R18-12: the recap of a large organization is rendered once, and holds its members’ rows for few statements', async () => {
  await choose('staff');
  await app.owner.query(
    `with made as (
         insert into accounts (id, email, first_name, last_name, password_hash, email_verified_at, created_at)
         select gen_random_uuid(), n || $2, 'M', 'N', 'x', now(), now() from generate_series(1, 249) n returning id
       )
       insert into memberships (org_id, account_id, role, created_at) select $1, id, 'AGENT', now() from made`,
    [ada.user.orgId, `@${ada.user.orgId}.example`],
  );
  await app.owner.query(`create sequence stored_mails;
    grant usage on sequence stored_mails to public;
    create function count_stored_mails() returns trigger language plpgsql as $$
      begin perform nextval('stored_mails'); return null; end $$;
    create trigger counts after insert on mails for each statement execute function count_stored_mails()`);
  await endedCall();
  await mailRecaps(app.services);
  const { rows } = await app.owner.query(`select (select count(*)::int from mails) as mails,
    (select last_value::int from stored_mails) as statements,
    (select count(distinct unsubscribe_url)::int from mails) as "unsubscribeUrls"`);
  await app.owner.query(
    'drop trigger counts on mails; drop function count_stored_mails; drop sequence stored_mails',
  );
  expect(rows).toEqual([{ mails: 250, statements: 3, unsubscribeUrls: 250 }]);
});

test('R23: calls that their own organization has locked keep no other waiting for its recap', async () => {
  const ben = await newOrganization(app);
  await ben.call(changeRecapSettings, { body: { recipients: 'agent' } });
  await choose('agent');
  const { id } = await endedCall();
  await endedCall(ben);
  const lock = new pg.Client(app.ownerLogin);
  await lock.connect();
  await lock.query('begin');
  await lock.query('select from calls where id = $1 for update', [id]);
  const mailing = mailRecaps(app.services, organizationRounds());
  const recipients = async () => {
    const { rows } = await app.owner.query('select recipient from mails');
    return rows.map(({ recipient }) => recipient);
  };
  await expect.poll(recipients).toEqual([ben.user.email]);
  expect(await lockWaiters(app), 'Ada’s recap still waits').toBe(1);
  await lock.query('commit');
  await lock.end();
  await mailing;
  await expect.poll(async () => (await recipients()).length).toBe(2);
});
