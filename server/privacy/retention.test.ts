import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { orgId } from '#domain/ids.ts';
import { readPrivacy, updateRetention } from '#domain/privacy/contract.ts';
import { retentionKinds } from '#domain/privacy/retention.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { readConfig, settings } from '#server/config.ts';
import { isSecretSetting } from '#server/secret-settings.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newAddress } from '#server/testing/requests.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { forgetOldEverywhere } from './forget-old.ts';
import { processorSettings, processorsOf } from './processors.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const days = (count: number) => new Date(Date.now() + count * 86_400_000);
const counted = async (sql: string, org: string | null) =>
  (await app.owner.query(`select count(*)::int as n from ${sql}`, [org])).rows[0].n;

/** An organization with old data of every kind. */
async function furnished() {
  const ada = await newOrganization(app);
  const org = ada.user.orgId;
  const { call } = await runningCall(ada);
  await ada.call(updateCall, {
    params: { id: call.id },
    body: { notesSnapshot: 'words', npsScore: 3, npsFeedback: 'slow', endForEveryone: true },
  });
  await ada.call(inviteUser, { body: { email: newAddress(), role: 'AGENT' } });
  // A mail that waits is deleted with its invitation.
  await app.owner.query('update mails set sent_at = now() where org_id = $1', [org]);
  const own = [org, call.id];
  const participant = `gen_random_uuid(), $1, $2`;
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name) values (${participant}, 'guest', 'Cleo')`,
    own,
  );
  await app.owner.query(
    `insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id)
      values (${participant}, gen_random_uuid(), 'guest', 'Cleo', 'hi', '1')`,
    own,
  );
  await app.owner.query(
    `insert into action_item_lists (call_id, org_id, analyzer, offline) values ($2, $1, 'x', true)`,
    own,
  );
  await app.owner.query(
    `insert into recorded_tracks
        (id, org_id, call_id, participant_id, participant_kind, name, source)
      values (${participant}, gen_random_uuid(), 'guest', 'Someone', 'camera')`,
    own,
  );
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name,
        start_ms, end_ms, text, recognizer)
      values (${participant}, gen_random_uuid(), 'guest', 'Someone', 0, 1, 'words', 'test')`,
    own,
  );
  await app.owner.query(
    `insert into call_insights (call_id, org_id, state) values ($2, $1, 'ready')`,
    own,
  );
  return Object.assign(ada, { org });
}

const held = {
  recordings: 'recorded_tracks where org_id = $1',
  transcripts: 'transcript_lines where org_id = $1',
  notes: 'calls where org_id = $1 and notes_snapshot is not null',
  chats: 'chat_messages where org_id = $1',
  aiResults:
    '(select org_id from action_item_lists union all select org_id from call_insights) x where org_id = $1',
  feedback: 'ratings where org_id = $1 and feedback is not null',
  guestNames: `attendances where org_id = $1 and name = 'Cleo'`,
  auditEvents: `audit_events where org_id = $1 and action = 'ROOM_CREATED'`,
  mails: 'mails where org_id = $1',
  sessions: `sessions s join memberships m on m.account_id = s.account_id where m.org_id = $1`,
  invitations: 'invitations where org_id = $1',
} satisfies Record<(typeof retentionKinds)[number], string>;

test('everything is kept by default, regardless of its age', async () => {
  const ada = await furnished();
  await forgetOldEverywhere(app.services, days(3000));
  for (const kind of retentionKinds)
    expect([kind, await counted(held[kind], ada.org)]).not.toEqual([kind, 0]);
});

test.each(retentionKinds.filter((kind) => kind !== 'auditEvents'))(
  'a rule for %s deletes only this kind, of this organization, after its days',
  async (kind) => {
    const ada = await furnished();
    const ben = await furnished();
    await ada.call(updateRetention, { body: { [kind]: 40 } });
    await forgetOldEverywhere(app.services, days(39));
    expect(await counted(held[kind], ada.org)).toBeGreaterThan(0);
    await forgetOldEverywhere(app.services, days(60));
    expect(await counted(held[kind], ada.org)).toBe(0);
    expect(await counted(held[kind], ben.org)).toBeGreaterThan(0);
    for (const other of retentionKinds.filter((one) => one !== kind)) {
      expect([other, await counted(held[other], ada.org)]).not.toEqual([other, 0]);
    }
    const { rows } = await app.owner.query(
      `select actor_kind, metadata from audit_events where org_id = $1 and action = 'RETENTION_APPLIED'`,
      [ada.org],
    );
    expect(rows).toMatchObject([{ actor_kind: 'system', metadata: { kind, days: 40 } }]);
  },
);

test('data of more calls than one transaction handles is deleted, with an event for each transaction', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  await app.owner.query(
    `insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec, notes_snapshot)
      select gen_random_uuid(), $1, $2, now(), now(), 0, 'words' from generate_series(1, 1001)`,
    [ada.user.orgId, room.id],
  );
  await ada.call(updateRetention, { body: { notes: 40 } });
  await forgetOldEverywhere(app.services, days(60));
  expect(await counted(held.notes, ada.user.orgId)).toBe(0);
  const { rows } = await app.owner.query(
    `select metadata->'count' as count from audit_events
      where org_id = $1 and action = 'RETENTION_APPLIED' order by created_at`,
    [ada.user.orgId],
  );
  expect(rows).toEqual([{ count: 1000 }, { count: 1 }]);
});

test('a rule for mails deletes no mail of another organization to the same person', async () => {
  const ada = await furnished();
  const ben = await furnished();
  const [invited] = (
    await app.owner.query('select email from invitations where org_id = $1', [ben.org])
  ).rows;
  await ada.call(inviteUser, { body: { email: invited.email, role: 'AGENT' } });
  await app.owner.query('delete from mails');
  await app.owner.query(
    `insert into mails (id, recipient, org_id, kind, subject, body_text, body_html, next_try_at)
      values (gen_random_uuid(), $1, $2, 'invitation', 'Of ben', '', '', now())`,
    [invited.email, ben.org],
  );
  await ada.call(updateRetention, { body: { mails: 40 } });
  await forgetOldEverywhere(app.services, days(60));
  expect((await app.owner.query('select subject from mails')).rows).toEqual([
    { subject: 'Of ben' },
  ]);
});

test('only one function can delete audit events, and only those older than the rule', async () => {
  const ada = await newOrganization(app);
  const old = (org: string | null) =>
    app.owner.query(
      `insert into audit_events (id, org_id, actor_kind, action, entity, created_at)
        values (gen_random_uuid(), $1, 'system', 'OLD', 'room', now() - interval '50 days')`,
      [org],
    );
  const ben = await newOrganization(app);
  await old(ada.user.orgId);
  await old(ben.user.orgId);
  const olds = (org: string | null) =>
    counted(`audit_events where org_id = $1 and action = 'OLD'`, org);
  await forgetOldEverywhere(app.services, new Date());
  expect(await olds(ada.user.orgId)).toBe(1);
  await ada.call(updateRetention, { body: { auditEvents: 45 } });
  // On another organization's connection the function deletes none of them.
  await app.services.database.connection(orgId.parse(ben.user.orgId), ({ query }) =>
    query('select forget_audit_events()', []),
  );
  expect(await olds(ada.user.orgId)).toBe(1);
  await forgetOldEverywhere(app.services, new Date());
  expect([await olds(ada.user.orgId), await olds(ben.user.orgId)]).toEqual([0, 1]);
});

test('admins set the rules, within bounds, with the days in the audit event', async () => {
  const ada = await newOrganization(app);
  await ada.call(updateRetention, { body: { chats: 90, notes: 30 } });
  await ada.call(updateRetention, { body: { chats: null } });
  const { retention } = await ada.call(readPrivacy);
  expect(retention).toMatchObject({ chats: null, notes: 30, auditEvents: null });
  const { rows } = await app.owner.query(
    `select metadata from audit_events where org_id = $1 and action = 'RETENTION_UPDATED' order by id`,
    [ada.user.orgId],
  );
  expect(rows.map(({ metadata }) => metadata.days)).toEqual([
    { notes: { from: null, to: 30 }, chats: { from: null, to: 90 } },
    { chats: { from: 90, to: null } },
  ]);
  for (const body of [{ chats: 0 }, { chats: 4000 }, { chats: 1.5 }, { auditEvents: 29 }])
    expect((await ada.send('PUT', '/api/privacy/retention', body)).status).toBe(400);
  const agent = await newMember(app, ada, 'AGENT');
  expect((await agent.send('PUT', '/api/privacy/retention', { chats: 1 })).status).toBe(403);
});

test('the sub-processors follow the configuration: each off until it is set up', () => {
  // With the default settings: a host address alone turns no service on.
  expect(processorsOf(readConfig({})).filter(({ host }) => host !== null)).toEqual([]);
  const on = processorsOf({
    SMTP_URL: 'smtp://me:secret@mail.example.com:587',
    TURN_URL: 'turn:a.example.com:3478,turns:b.example.com?transport=tcp',
    DATABASE_URL: 'postgres://u:p@[::1]:5432/db',
    ANTHROPIC_API_KEY: 'sk-secret',
  }).filter(({ host }) => host !== null);
  expect(on).toEqual([
    { id: 'database', host: '[::1]' },
    { id: 'mail', host: 'mail.example.com' },
    { id: 'turn', host: 'a.example.com, b.example.com' },
    { id: 'anthropic', host: 'api.anthropic.com' },
  ]);
  expect(JSON.stringify(on)).not.toContain('secret');
});

test('every setting of an outside service is among the sub-processors', () => {
  const listed = Object.values(processorSettings).flatMap(({ on, address }) => [...on, address]);
  const ours = ['PUBLIC_URL', 'PRIVACY_URL', 'TERMS_URL', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS'];
  const services = Object.values(processorSettings)
    .flatMap(({ on }) => on)
    .map((name) => name.split('_')[0]);
  const leading = Object.keys(settings.shape).filter(
    (name) => /_(URL|ENDPOINT|API_KEY|API_BASE|BASE_URL)$/.test(name) || isSecretSetting(name),
  );
  const unlisted = leading.filter(
    (name) =>
      !listed.includes(name) &&
      !ours.includes(name) &&
      // Another setting of a listed service, such as TURN_SECRET beside TURN_URL.
      !services.includes(name.split('_')[0]),
  );
  expect(unlisted, 'add it to server/privacy/processors.ts').toEqual([]);
});
