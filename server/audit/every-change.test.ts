import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCall } from '#domain/calls/contract.ts';
import type { ToServer } from '#domain/calls/live.ts';
import type { Contract } from '#domain/contract.ts';
import type { CallId, RoomId } from '#domain/ids.ts';
import { createLink } from '#domain/links/contract.ts';
import { archivePlaybook, createPlaybook } from '#domain/playbooks/contract.ts';
import { archiveRoom, createRoom } from '#domain/rooms/contract.ts';
import { removeSamples } from '#domain/samples/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { allContracts } from '#server/testing/contracts.ts';
import { crmThings, unusedCrm } from '#server/testing/crm-things.ts';
import { scimThings } from '#server/testing/directory.ts';
import { fakeBilling, storeCustomer } from '#server/testing/fake-billing.ts';
import { newActionItem, newRecordingShare } from '#server/testing/furnish.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newAddress, requestOf, type Things, unknownThings } from '#server/testing/requests.ts';
import { newSsoThings } from '#server/testing/sso-things.ts';
import { tokenThings } from '#server/testing/token-things.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { storeWaitingGuest } from '#server/testing/waiting-guest.ts';
import { webhookThings } from '#server/testing/webhook-things.ts';

const nameOf = ({ method, path }: Contract) => `${method} ${path}`;

/** Writing endpoints that leave no event in the organization, each with its reason. */
const silent: Record<string, string> = {
  'POST /api/user/confirm': 'only the session of who asks is fresh again',
  'POST /api/user/verify-email': 'mails the account’s own address; following the link is an event',
  'POST /api/user/two-factor': 'counts for nothing before it is confirmed, which is an event',
  'POST /api/user/passkeys/options': 'a question to the browser; its answer is an event',
  'POST /api/login/passkey/options': 'a question to the browser; its answer is an event',
  'POST /api/billing/plan-change/preview': 'a question to the card provider; nothing changes',
  'POST /api/crm-authorizations': 'counts for nothing before it is finished, which is an event',
  'POST /api/crm-connections/:id/preview': 'shows what would be sent; nothing changes',
  'PUT /api/getting-started': 'the row itself says who did it, and when',
  'POST /api/contact': 'a visitor writes to the operator; no organization is touched',
  'POST /api/meetings/leave': 'leaving is not an event, like closing the page’s socket',
  'POST /api/recordings/segments':
    'the consent and the capture say who is recorded, and since when',
  'POST /api/recordings/segments/:id/complete': 'the end of an upload that began with consent',
  'POST /api/hosted-admissions':
    'a guest asks to enter: an attendance keeps who was there, and when',
};
/** Writing endpoints that need more than one request, whose events other tests cover. */
const shownElsewhere: Record<string, string> = {
  'PUT /api/speech-models/:name': 'server/speech-models/speech-models.test.ts',
  'DELETE /api/speech-models/:name': 'server/speech-models/speech-models.test.ts',
  'POST /api/register': 'server/audit/audit.test.ts',
  'POST /api/organizations': 'server/profile/profile.test.ts',
  'PUT /api/user/password': 'server/profile/profile.test.ts',
  'POST /api/user/delete': 'server/privacy/person.test.ts',
  'POST /api/invitations/:token/accept': 'server/team/team.test.ts',
  'POST /api/user/membership': 'server/team/join-by-invitation.test.ts',
  // The tests of these folders cover sign-ins and their failures.
  'POST /api/login': 'server/auth',
  'POST /api/login/second-factor': 'server/two-factor',
  'POST /api/login/passkey': 'server/passkeys',
  'POST /api/verify-email/:token': 'server/auth',
  'POST /api/user/two-factor/confirm': 'server/two-factor',
  'DELETE /api/user/two-factor': 'server/two-factor',
  'POST /api/user/two-factor/recovery-codes': 'server/two-factor',
  'POST /api/user/passkeys': 'server/passkeys',
  'PATCH /api/user/passkeys/:id': 'server/passkeys',
  'DELETE /api/user/passkeys/:id': 'server/passkeys',
  'DELETE /api/user/sessions/:id': 'server/profile/profile.test.ts',
  'DELETE /api/user/tokens/:id': 'server/api/tokens.test.ts',
  'PUT /api/sign-in-policy': 'server/two-factor',
  'POST /api/logout': 'server/auth',
  'POST /api/forgot-password': 'server/auth',
  'POST /api/reset-password/:token': 'server/auth',
  'POST /api/calls/:id/recording/retry': 'server/recordings/join/join.test.ts',
  'DELETE /api/calls/:id/recording': 'server/recordings/deletion.test.ts',
  'DELETE /api/calls/:id/recording/people/:participantId': 'server/recordings/deletion.test.ts',
  'DELETE /api/calls/:id/legal-hold': 'server/recordings/deletion.test.ts',
  // The tests of single sign-on cover the events of a sign-in and of the policy.
  'POST /api/sso/start': 'server/sso/oidc.test.ts',
  'PUT /api/sso/policy': 'server/sso/policy.test.ts',
  // Only where something was said or typed.
  'POST /api/calls/:id/analysis': 'server/ai/analyze-call.test.ts',
  // Only of a call that has ended.
  'POST /api/crm-connections': 'server/crm/crm.test.ts',
  // Only of a call that has ended.
  'POST /api/calls/:id/insights': 'server/insights/insights.test.ts',
};

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let callId: CallId;
let roomId: RoomId;
beforeAll(async () => {
  app = await openTestApp(unusedCrm, { billing: fakeBilling() });
  ada = await newOrganization(app);
  await app.owner.query("update organizations set plan = 'enterprise'");
  // The name in the sample request for the organization's deletion.
  await app.owner.query(`update organizations set name = 'Acme' where id = $1`, [ada.user.orgId]);
  await storeCustomer(app, ada.user.orgId);
  const { call } = await runningCall(ada);
  callId = call.id;
  roomId = call.roomId;
});
afterAll(() => app.close());

async function countEvents(): Promise<number> {
  const { rows } = await app.owner.query(
    'select count(*)::int as n from audit_events where org_id = $1',
    [ada.user.orgId],
  );
  return rows[0].n;
}

/** Starts a call that has no playbook. */
const newCall = async (roomId: string) => (await ada.call(startCall, { body: { roomId } })).id;

/** Returns fresh objects, so that each request changes something. */
async function freshThings({ method, path }: Contract): Promise<Things> {
  const isRestored = method === 'DELETE' && path.endsWith('/archive');
  const extendsCall = path.startsWith('/api/calls/:id/');
  if (path === '/api/samples') await ada.call(removeSamples);
  const room = await ada.call(createRoom, { body: { topic: 'Fresh' } });
  const playbook = await ada.call(createPlaybook, {
    body: { title: 'Fresh', checklistItems: [{ text: 'Greet' }] },
  });
  if (isRestored) await ada.call(archivePlaybook, { params: { id: playbook.id } });
  const member = await newMember(app, ada, 'AGENT');
  const invitation = await ada.call(inviteUser, { body: { email: newAddress(), role: 'AGENT' } });
  const link = await ada.call(createLink, {
    params: { id: room.id },
    body: { name: 'For Acme' },
  });
  if (isRestored) await ada.call(archiveRoom, { params: { id: room.id } });
  const sharedId = extendsCall ? await newCall(room.id) : callId;
  const shared = { id: sharedId, roomId: extendsCall ? room.id : roomId };
  return {
    'guest-links': link.id,
    'action-items': await newActionItem(ada, callId),
    'recording-shares': path.includes('/recording-shares')
      ? await newRecordingShare(app, ada, shared)
      : unknownThings['recording-shares'],
    'transcript-lines': await storeTranscriptLine(app, callId),
    guests: await storeWaitingGuest(app, ada.user.orgId, room.id),
    rooms: room.id,
    calls: sharedId,
    playbooks: playbook.id,
    organizations: ada.user.orgId ?? '',
    segments: unknownThings.segments,
    'speech-models': unknownThings['speech-models'],
    users: member.user.id,
    invitations: invitation.id,
    ...(path.startsWith('/api/sso/') ? await newSsoThings(ada) : noSsoThings),
    ...(await crmThings(app, ada, sharedId)),
    ...(path.startsWith('/api/organization-tokens/') ? await tokenThings(ada) : noTokenThings),
    ...(/^\/api\/(webhook|slack)/.test(path) ? await webhookThings(ada) : noWebhookThings),
    ...(await scimThings(app, ada)),
  };
}

const { connections, domains, tests, webhooks } = unknownThings;
const noSsoThings = { connections, domains, tests };
const noTokenThings = { 'organization-tokens': unknownThings['organization-tokens'] };
const noWebhookThings = {
  webhooks,
  'webhook-deliveries': unknownThings['webhook-deliveries'],
  'slack-channels': unknownThings['slack-channels'],
};

const contracts = await allContracts();
const writing = contracts.filter(({ method }) => method !== 'GET');
const tried = writing.filter(
  (contract) => !(nameOf(contract) in silent) && !(nameOf(contract) in shownElsewhere),
);
/** The request that must precede a removal so that it changes something. */
const first: Record<string, string> = {
  'DELETE /api/user/picture': 'POST /api/user/picture',
  'DELETE /api/organizations/:orgId/deletion': 'POST /api/organizations/:orgId/deletion',
  'DELETE /api/samples': 'POST /api/samples',
  'DELETE /api/organizations/:orgId/logo': 'POST /api/organizations/:orgId/logo',
};

describe('every endpoint that writes leaves an audit event with actor, address, and entity', () => {
  test('the list of exceptions has only existing endpoints', () => {
    const names = writing.map(nameOf);
    for (const name of [...Object.keys(silent), ...Object.keys(shownElsewhere)])
      expect(names).toContain(name);
    for (const path of Object.values(shownElsewhere)) expect(existsSync(path), path).toBe(true);
    expect(tried.length).toBeGreaterThan(25);
  });

  test.each(tried.map((contract) => [nameOf(contract), contract] as const))(
    '%s',
    async (name, contract) => {
      const things = await freshThings(contract);
      const needed = writing.find((other) => nameOf(other) === first[name]);
      for (const each of needed ? [needed, contract] : [contract]) {
        const { method, url, body } = requestOf(each, things);
        const before = await countEvents();
        const reply = await ada.send(method, url, body);
        expect([name, reply.status < 300, reply.body]).toEqual([name, true, reply.body]);
        const after = await countEvents();
        if (each === contract)
          expect(after - before, `${name} left no audit event`).toBeGreaterThan(0);
      }
      const { rows } = await app.owner.query(
        'select * from audit_events where org_id = $1 order by id desc limit 1',
        [ada.user.orgId],
      );
      expect(rows[0]).toMatchObject({
        actor_kind: 'user',
        actor_id: ada.user.id,
        address: '127.0.0.1',
        entity: expect.any(String),
        entity_id: expect.any(String),
      });
    },
  );
});

/**
 * The events of each live message. A new message type does not compile until it is listed here. The tests of
 * server/calls cover each event.
 */
const ofMessages = {
  check: 'CALL_ITEM_CHECKED, CALL_ITEM_UNCHECKED',
  note: 'CALL_UPDATED, for the first notes of a call',
  chat: 'CHAT_STARTED, for the first message of a call',
  lock: 'CALL_LOCKED, CALL_UNLOCKED',
  remove: 'GUEST_REMOVED',
  admit: 'GUEST_ADMITTED',
  refuse: 'GUEST_REFUSED',
  'tell-waiting': 'GUEST_TOLD',
  capture: 'CAPTURE_STARTED, CAPTURE_STOPPED',
  consent: 'CONSENT_ANSWERED, CAPTURED_DISCARDED',
  hello:
    'CONSENT_CONTINUED, for a member who reloads; otherwise an attendance keeps who was there, and when',
  join: 'no event: an attendance, or a place in the lobby, keeps who and when',
  leave: 'no event: the attendance keeps when',
  ping: 'no event: nothing is changed',
  signal: 'no event: nothing is stored',
  watch: 'no event: nothing is stored',
  media: 'no event: nothing is stored',
  'media-lost': 'no event: a media room keeps when it was opened, and why',
  mute: 'no event: asks a page to mute itself, nothing is stored',
  react: 'no event: nothing is stored',
  'chat-since': 'no event: reads',
  'notes-since': 'no event: reads',
} satisfies Record<ToServer['type'], string>;

const sources = ['calls', 'consent']
  .map((folder) => join(import.meta.dirname, '..', folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

test.each(Object.entries(ofMessages))('the live message %s leaves %s', (_, leaves) => {
  for (const action of leaves.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [])
    expect(sources).toContain(`'${action}'`);
});
