import { addActionItem, updateActionItem } from '#domain/action-items/contract.ts';
import type { User } from '#domain/auth/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { archiveRoom } from '#domain/rooms/contract.ts';
import { acceptInvitation, inviteUser, removeUser } from '#domain/team/contract.ts';
import { deliverDue } from '#server/webhooks/deliver-due.ts';
import type { TestApp } from './open-test-app.ts';
import { newAddress } from './requests.ts';
import { storeTranscriptLine } from './transcript-line.ts';
import { runningCall, Visitor } from './visitor.ts';

/** Makes the deliveries that are due, and what they make due. */
export async function deliverAll(app: TestApp): Promise<void> {
  while ((await deliverDue(app.services)) > 0);
}

export const skipDeliveryWaits = (app: TestApp) =>
  app.owner.query(`update webhook_deliveries set next_try_at = now() where state = 'waiting'`);

/** Everything that webhooks tell of happens once, and is delivered. The call has the given notes. */
export async function everyEvent(
  app: TestApp,
  admin: Visitor & { user: User },
  notesSnapshot: string,
): Promise<void> {
  const { orgId } = admin.user;
  const { room, call } = await runningCall(admin);
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name)
      values (gen_random_uuid(), $1, $2, 'guest', 'Gus')`,
    [orgId, call.id],
  );
  await storeTranscriptLine(app, call.id);
  const title = 'Send the offer';
  const item = await admin.call(addActionItem, { params: { id: call.id }, body: { title } });
  for (const body of [{ title: 'Send the new offer' }, { isCompleted: true }])
    await admin.call(updateActionItem, { params: { id: item.id }, body });
  const end = { endedAt: new Date().toISOString(), endForEveryone: true, npsScore: 9 };
  await admin.call(updateCall, { params: { id: call.id }, body: { ...end, notesSnapshot } });
  const insights = { summary: null, topics: null, questions: [], talk: null, isPartial: false };
  await app.owner.query(
    `insert into call_insights (call_id, org_id, state, insights, generated_at)
      values ($1, $2, 'ready', $3, now())`,
    [call.id, orgId, insights],
  );
  await admin.call(archiveRoom, { params: { id: room.id } });
  const email = newAddress();
  const { url } = await admin.call(inviteUser, { body: { email, role: 'AGENT' } });
  const ben = await new Visitor(app).call(acceptInvitation, {
    params: { token: url.split('/').at(-1) ?? '' },
    body: { email, password: 'correct horse', firstName: 'Ben', lastName: 'Low' },
  });
  await deliverAll(app);
  await admin.call(removeUser, { params: { id: ben.id } });
  // Of one call, the next event is due when the one before has arrived.
  for (const _ of ['transcript', 'summary']) {
    await skipDeliveryWaits(app);
    await deliverAll(app);
  }
}
