import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { mailJobs } from './jobs.ts';
import { sendDueMails } from './send-mails.ts';
import { forgetMails, queueMail, takeDueMails } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  await app.owner.query('delete from mails');
  app.mails.length = 0;
});
afterAll(() => app.close());

const stored = async (email: string) =>
  (await app.owner.query('select * from mails where recipient = $1 order by id', [email])).rows;
const invite = (admin: Visitor, email: string) =>
  admin.call(inviteUser, { body: { email, role: 'AGENT' } });

/** Queues mails of an organization, as its changes do. */
async function queueMany(orgId: OrgId | null, count: number, to: string) {
  await app.owner.query(
    `insert into mails (id, org_id, kind, recipient, subject, body_text, body_html, next_try_at)
      select gen_random_uuid(), $1, 'invitation', $3, 'Join', 'text', 'html', now() - interval '1 minute'
      from generate_series(1, $2)`,
    [orgId, count, to],
  );
}

test('an organization that invites and then erases a person deletes none of their security mails', async () => {
  const victim = await newOrganization(app);
  const stranger = await newOrganization(app);
  const { email } = victim.user;
  await new Visitor(app).send('POST', '/api/forgot-password', { email });
  await expect.poll(() => stored(email)).toHaveLength(1);
  for (let round = 0; round < 3; round += 1) {
    await invite(stranger, email);
    const erased = await stranger.send('POST', '/api/privacy/erase', { guest: email });
    expect(erased.status).toBeLessThan(300);
  }
  await sendDueMails(app.services);
  expect(app.mails.map(({ to, text }) => [to, /\/reset-password\//.test(text)])).toEqual([
    [email, true],
  ]);
});

test('row-level security restricts an organization to reading and deleting its own mails', async () => {
  const ada = await newOrganization(app);
  const ben = await newOrganization(app);
  await invite(ada, 'shared@example.com');
  await invite(ben, 'shared@example.com');
  await app.services.database.transaction('outside', (tx) =>
    queueMail(tx, {
      recipient: 'shared@example.com',
      orgId: null,
      accountId: null,
      kind: 'security',
      content: {
        subject: 'Reset',
        heading: 'Reset',
        text: 'Reset',
        button: { label: 'Reset', url: 'http://localhost/' },
        footer: '',
        brand: null,
      },
    }),
  );
  const { orgId } = ada.user;
  if (orgId === null) throw new Error('ada has an organization');
  const { database } = app.services;
  const mine = await database.connection(orgId, ({ query }) =>
    query('select org_id from mails', []),
  );
  expect(mine.rows).toEqual([{ org_id: orgId }]);
  await database.connection(orgId, ({ query }) => query('delete from mails', []));
  await database.connection(orgId, ({ query }) => query(`update mails set subject = 'x'`, []));
  expect(
    (await stored('shared@example.com')).map(({ org_id, subject }) => [org_id, subject]),
  ).toEqual([
    [ben.user.orgId, expect.stringContaining('Join')],
    [null, 'Reset'],
  ]);
  const forged = database.connection(orgId, ({ query }) =>
    query(
      `insert into mails (id, org_id, kind, recipient, subject, body_text, body_html)
        values (gen_random_uuid(), $1, 'notice', 'a@example.com', '', '', '')`,
      [ben.user.orgId],
    ),
  );
  await expect(forged).rejects.toThrow(/row-level security/);
});

test('security mail is taken first, regardless of how many other mails are due', async () => {
  const ada = await newOrganization(app);
  await queueMany(ada.user.orgId, 60, 'many@example.com');
  await new Visitor(app).send('POST', '/api/forgot-password', { email: ada.user.email });
  await expect.poll(() => stored(ada.user.email)).toHaveLength(1);
  const [first] = await takeDueMails(app.services.database, 20);
  expect(first?.to).toBe(ada.user.email);
});

test('an organization with thousands of due mails delays another’s by at most one batch', async () => {
  const flooding = await newOrganization(app);
  const ben = await newOrganization(app);
  await queueMany(flooding.user.orgId, 5000, 'many@example.com');
  await invite(ben, 'one@example.com');
  const batch = await takeDueMails(app.services.database, 20);
  expect(batch).toHaveLength(20);
  expect(batch.map(({ to }) => to)).toContain('one@example.com');
});

test('B7: security mails caused by one organization delay another’s by at most one batch', async () => {
  const flooding = await newOrganization(app);
  const ben = await newOrganization(app);
  const { orgId } = flooding.user;
  if (orgId === null) throw new Error('an organization has an id');
  await app.services.database.connection(orgId, ({ query }) =>
    query(
      `insert into mails (id, kind, recipient, subject, body_text, body_html, next_try_at)
        select gen_random_uuid(), 'security', 'p' || n || '@example.com', 'Moved', 'text', 'html',
          now() - interval '1 minute' from generate_series(1, 400) n`,
      [],
    ),
  );
  await new Visitor(app).send('POST', '/api/forgot-password', { email: ben.user.email });
  await expect.poll(() => stored(ben.user.email)).toHaveLength(1);
  const batch = await takeDueMails(app.services.database, 20);
  expect(batch).toHaveLength(20);
  expect(batch.map(({ to }) => to)).toContain(ben.user.email);
});

test('R32-A2: security mails to one domain delay another’s by at most one', async () => {
  const ben = await newOrganization(app);
  await app.owner.query(
    `insert into mails (id, kind, recipient, subject, body_text, body_html, next_try_at)
      select gen_random_uuid(), 'security', 'p' || n || '@mx' || n || '.slow.test', 'Verify', 'text', 'html',
        now() - interval '1 minute' from generate_series(1, 50) n`,
  );
  await new Visitor(app).send('POST', '/api/forgot-password', { email: ben.user.email });
  await expect.poll(() => stored(ben.user.email)).toHaveLength(1);
  const batch = await takeDueMails(app.services.database, 2);
  expect(batch.map(({ to }) => to)).toContain(ben.user.email);
});

test('the domain of a recipient is the one that someone owns', async () => {
  const owned = [
    ['a@example.com', 'example.com'],
    ['a@MX.Example.com', 'example.com'],
    ['a@mx.example.co.uk', 'example.co.uk'],
    ['a@b@mx.abc.de', 'abc.de'],
    ['a@localhost', null],
  ] as const;
  for (const [to, domain] of owned) {
    await queueMany(null, 1, to);
    expect(await takeDueMails(app.services.database, 1)).toMatchObject([
      { to, domain, payer: null },
    ]);
  }
});

test('B7: a mail locked by an erasure delays no other mail, and is sent later', async () => {
  const [evil, ben] = [await newOrganization(app), await newOrganization(app)];
  await invite(evil, 'held@example.com');
  await invite(ben, 'free@example.com');
  const held = new pg.Client(app.ownerLogin);
  await held.connect();
  try {
    await held.query('begin');
    await held.query('delete from mails where org_id = $1', [evil.user.orgId]);
    expect((await takeDueMails(app.services.database, 20)).map(({ to }) => to)).toEqual([
      'free@example.com',
    ]);
    await app.owner.query(`update mails set created_at = now() - interval '31 days'
      where recipient = 'free@example.com'`);
    await forgetMails(app.services.database, new Date(Date.now() - 30 * 86_400_000));
    expect(await stored('free@example.com')).toEqual([]);
    await held.query('rollback');
  } finally {
    await held.end();
  }
  expect((await takeDueMails(app.services.database, 20)).map(({ to }) => to)).toEqual([
    'held@example.com',
  ]);
});

test('two concurrent processes take different mails, and both take some', async () => {
  await queueMany(null, 40, 'many@example.com');
  const { database } = app.services;
  const batches = await Promise.all([takeDueMails(database, 20), takeDueMails(database, 20)]);
  expect(batches.map((batch) => batch.length)).toEqual([20, 20]);
  expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(40);
});

test('all due mails are sent in one run, five at a time', async () => {
  await queueMany(null, 45, 'many@example.com');
  let now = 0;
  let most = 0;
  const five = Promise.withResolvers<void>();
  const carrier = {
    leavesMachine: true,
    send: async () => {
      now += 1;
      most = Math.max(most, now);
      if (now === 5) five.resolve();
      await five.promise;
      now -= 1;
    },
  };
  expect(await sendDueMails({ ...app.services, mail: carrier })).toBe(45);
  expect(most).toBe(5);
});

test('R32-A2: a mail that is accepted slowly holds up only its domain and its organization', async () => {
  const [slow, ben] = [await newOrganization(app), await newOrganization(app)];
  await queueMany(slow.user.orgId, 8, 'many@mx.slow.example');
  await queueMany(slow.user.orgId, 1, 'one@fast.example');
  const [first, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun: string[] = [];
  const carrier = {
    leavesMachine: true,
    send: async ({ to }: { to: string }) => {
      const { promise } = begun.length === 0 ? first : others;
      begun.push(to);
      if (to.endsWith('slow.example')) await promise;
    },
  };
  vi.useFakeTimers({ toFake: ['performance'] });
  const sending = sendDueMails({ ...app.services, mail: carrier });
  await expect.poll(() => begun).toHaveLength(5);
  vi.advanceTimersByTime(2_000);
  await queueMany(ben.user.orgId, 1, 'two@other.slow.example');
  await queueMany(ben.user.orgId, 1, 'three@fast.example');
  // The sender looks again, and finds that the others are slow.
  first.resolve();
  await expect.poll(() => begun.slice(5)).toEqual(['three@fast.example']);
  vi.useRealTimers();
  others.resolve();
  expect(await sending).toBe(11);
  expect(begun.slice(6).sort()).toEqual([
    ...Array(3).fill('many@mx.slow.example'),
    ...['one@fast.example', 'two@other.slow.example'],
  ]);
});

test('a sent mail keeps no link; a mail that waits for a retry keeps it', async () => {
  const ada = await newOrganization(app);
  await invite(ada, 'linus@example.com');
  const refusing = {
    leavesMachine: true,
    send: async () => {
      throw new Error('mail box full');
    },
  };
  await sendDueMails({ ...app.services, mail: refusing });
  expect(await stored('linus@example.com')).toMatchObject([
    { body_text: expect.stringContaining('/invite/'), last_error: 'mail box full', sent_at: null },
  ]);
  await app.owner.query('update mails set next_try_at = now()');
  await sendDueMails(app.services);
  expect(app.mails).toMatchObject([{ text: expect.stringContaining('/invite/') }]);
  expect(await stored('linus@example.com')).toMatchObject([
    { body_text: '', body_html: '', sent_at: expect.any(Date), last_error: null },
  ]);
});

test('a mail that is given up keeps no link, even if the process ended during its last attempt', async () => {
  const ada = await newOrganization(app);
  await invite(ada, 'linus@example.com');
  await invite(ada, 'margaret@example.com');
  await app.owner.query('update mails set attempts = 11');
  const refusing = { leavesMachine: true, send: () => Promise.reject(new Error('no such box')) };
  const [taken] = await takeDueMails(app.services.database, 1);
  await sendDueMails({ ...app.services, mail: refusing });
  await app.owner.query(`update mails set next_try_at = now() - interval '1 second'`);
  await forgetMails(app.services.database, new Date(0));
  expect(taken).toBeDefined();
  const { rows } = await app.owner.query('select body_text, body_html, attempts from mails');
  const givenUp = { body_text: '', body_html: '', attempts: 12 };
  expect(rows).toEqual([givenUp, givenUp]);
});

test('mails are deleted after thirty days', async () => {
  await queueMany(null, 2, 'old@example.com');
  await app.owner.query(
    `update mails set created_at = now() - interval '31 days' where id = (select min(id::text)::uuid from mails)`,
  );
  const works: ((data: object) => Promise<void>)[] = [];
  const jobs: typeof app.services.jobs = {
    define: (_name, _options, work) => void works.push(work),
    start: async () => undefined,
    stop: async () => undefined,
  };
  mailJobs({ ...app.services, jobs });
  for (const work of works) await work({});
  expect(await stored('old@example.com')).toHaveLength(1);
});
