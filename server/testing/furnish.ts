import { addActionItem } from '#domain/action-items/contract.ts';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { readCall, startCall } from '#domain/calls/contract.ts';
import type { Contract } from '#domain/contract.ts';
import type { CallId, RoomId } from '#domain/ids.ts';
import { createLink } from '#domain/links/contract.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom, readGuestLink } from '#domain/rooms/contract.ts';
import { createShare } from '#domain/shares/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { crmThings } from './crm-things.ts';
import { scimThings } from './directory.ts';
import type { TestApp } from './open-test-app.ts';
import { storeRecordedFile } from './recorded-file.ts';
import { newAddress, type Things, unknownThings } from './requests.ts';
import { newSsoThings } from './sso-things.ts';
import { tokenThings } from './token-things.ts';
import { storeTranscriptLine } from './transcript-line.ts';
import { newMember, runningCall, type Visitor } from './visitor.ts';
import { storeWaitingGuest } from './waiting-guest.ts';
import { webhookThings } from './webhook-things.ts';

type Admin = Visitor & { user: SignedInUser };

/** Creates one object of each kind that requests can name. */
export async function furnish(app: TestApp, visitor: Admin): Promise<Things> {
  // The name that the sample request for its deletion contains.
  await app.owner.query(`update organizations set name = 'Acme' where id = $1`, [
    visitor.user.orgId,
  ]);
  const { room, call, playbook } = await runningCall(visitor);
  await visitor.call(readGuestLink, { params: { id: room.id } });
  const body = { name: 'For Acme' };
  const link = await visitor.call(createLink, { params: { id: room.id }, body });
  return {
    'guest-links': link.id,
    'action-items': await newActionItem(visitor, call.id),
    'recording-shares': await newRecordingShare(app, visitor, call),
    'transcript-lines': await storeTranscriptLine(app, call.id),
    guests: await storeWaitingGuest(app, visitor.user.orgId, room.id),
    rooms: room.id,
    calls: call.id,
    playbooks: playbook.id,
    organizations: visitor.user.orgId ?? '',
    segments: unknownThings.segments,
    'speech-models': unknownThings['speech-models'],
    ...(await newSsoThings(visitor)),
    ...(await webhookThings(visitor)),
    ...(await tokenThings(visitor)),
    ...(await crmThings(app, visitor, call.id)),
    ...(await dispensable(app, visitor)),
  };
}

/**
 * Creates objects that some endpoints use up: a member to remove, an invitation to cancel, a room
 * to archive.
 */
export async function fresh(
  app: TestApp,
  visitor: Admin,
  { path }: Pick<Contract, 'path'>,
): Promise<Partial<Things>> {
  if (path.startsWith('/api/sso/')) return newSsoThings(visitor);
  if (path.startsWith('/api/organization-tokens/')) return tokenThings(visitor);
  if (path.startsWith('/api/crm-connections') || path.endsWith('/crm-syncs')) {
    const { call } = await runningCall(visitor);
    return { calls: call.id, ...(await crmThings(app, visitor, call.id)) };
  }
  if (/^\/api\/(webhook|slack)/.test(path)) return webhookThings(visitor);
  const playbook = await visitor.call(createPlaybook, {
    body: { title: 'Fresh', checklistItems: [{ text: 'Greet' }] },
  });
  const room = await visitor.call(createRoom, { body: { topic: 'Fresh' } });
  const calls = path.startsWith('/api/calls/:id/')
    ? { calls: (await visitor.call(startCall, { body: { roomId: room.id } })).id }
    : {};
  const shares = path.includes('/recording-shares')
    ? await sharedCall(app, visitor, calls.calls)
    : {};
  const items = path.startsWith('/api/action-items/')
    ? { 'action-items': await newActionItem(visitor, (await runningCall(visitor)).call.id) }
    : {};
  return {
    playbooks: playbook.id,
    rooms: room.id,
    guests: await storeWaitingGuest(app, visitor.user.orgId, room.id),
    ...calls,
    ...items,
    ...shares,
    ...(await dispensable(app, visitor)),
  };
}

async function dispensable(
  app: TestApp,
  visitor: Admin,
): Promise<Pick<Things, 'users' | 'invitations' | 'scim-tokens' | 'scim-groups'>> {
  const member = await newMember(app, visitor, 'AGENT');
  const body = { email: newAddress(), role: 'AGENT' };
  const invitation = await visitor.call(inviteUser, { body });
  const scim = await scimThings(app, visitor);
  return { users: member.user.id, invitations: invitation.id, ...scim };
}

/** Returns whether a request uses up its object. */
export const usesUp = ({ method, path }: Contract) =>
  /^\/api\/(users|invitations|action-items|recording-shares|sso\/\w+|scim-tokens|organization-tokens|webhooks|webhook-deliveries|slack-channels|crm-connections|privacy)\/|\/(archive|recording|recording-shares|crm-syncs)$/.test(
    path,
  ) ||
  (method === 'PUT' && path === '/api/playbooks/:id');

export const newActionItem = async (visitor: Visitor, id: CallId) =>
  (await visitor.call(addActionItem, { params: { id }, body: { title: 'Send the offer' } })).id;

/** Stores a recording of the call, shares it, and returns the share's id. */
export async function newRecordingShare(
  app: TestApp,
  visitor: Admin,
  call: { id: CallId; roomId: RoomId },
) {
  await storeRecordedFile(app, { ...call, orgId: visitor.user.orgId });
  const { id } = await visitor.call(createShare, {
    params: { id: call.id },
    body: { expiresInDays: 7 },
  });
  return id;
}

/** A call with a recording that is shared: a new one, unless `known` names a call. */
async function sharedCall(
  app: TestApp,
  visitor: Admin,
  known: CallId | undefined,
): Promise<Partial<Things>> {
  const call = known
    ? await visitor.call(readCall, { params: { id: known } })
    : (await runningCall(visitor)).call;
  return { calls: call.id, 'recording-shares': await newRecordingShare(app, visitor, call) };
}
