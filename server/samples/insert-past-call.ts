import * as Y from 'yjs';
import type { User } from '#domain/auth/contract.ts';
import {
  actionItemId,
  type CallId,
  callId,
  chatMessageId,
  type ParticipantId,
  type PlaybookId,
  participantId,
  type RoomId,
  ratingId,
} from '#domain/ids.ts';
import { actionItemLists, actionItems } from '#server/action-items/tables.ts';
import { copyChecklist } from '#server/calls/start-call.ts';
import {
  attendances,
  callChecklistItems,
  callNoteUpdates,
  calls,
  chatMessages,
  ratings,
} from '#server/calls/tables.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { and, eq, lt } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import type { PastCallContent } from './content.ts';

export type Host = Pick<User, 'id' | 'firstName' | 'lastName'>;
interface Place {
  room: { id: RoomId; playbookId: PlaybookId | null };
  host: Host;
  startedAt: Date;
}
interface Stay {
  tx: TenantConnection;
  id: CallId;
  host: Host;
  startedAt: Date;
  endedAt: Date;
}

/** Stores an ended call with all that happened in it, as if it had been held. Tells no one. */
export async function insertPastCall(
  tx: TenantConnection,
  { room, host, startedAt }: Place,
  content: Omit<PastCallContent, 'daysAgo' | 'hour'>,
): Promise<void> {
  const id = newId(callId, startedAt);
  const seconds = (content.minutes * 37 + startedAt.getUTCDate() * 11) % 60;
  const durationSec = content.minutes * 60 + seconds;
  const endedAt = new Date(startedAt.getTime() + durationSec * 1000);
  const { orgId } = tx.tenant;
  await tx.db.insert(calls).values({
    id,
    orgId,
    roomId: room.id,
    playbookId: room.playbookId,
    startedBy: host.id,
    startedAt,
    endedAt,
    durationSec,
    lastSeenAt: endedAt,
    notesSnapshot: content.notes || null,
    createdAt: startedAt,
  });
  const stay = { tx, id, host, startedAt, endedAt };
  if (content.notes) await insertNotes(stay, content.notes);
  if (room.playbookId) {
    await tx.run(copyChecklist, [orgId, id, room.playbookId]);
    await tx.db
      .update(callChecklistItems)
      .set({ checkedAt: endedAt, checkedBy: host.id })
      .where(
        and(
          eq(callChecklistItems.orgId, orgId),
          eq(callChecklistItems.callId, id),
          lt(callChecklistItems.position, content.ticked),
        ),
      );
  }
  await insertTalk(stay, content);
  if (content.score !== undefined) await insertScore(stay, content.score, content.feedback);
  await insertActionItems(stay, content.actionItems ?? []);
}

async function insertNotes({ tx, id }: Stay, notes: string): Promise<void> {
  const doc = new Y.Doc();
  doc.getText('notes').insert(0, notes);
  const update = Buffer.from(Y.encodeStateAsUpdate(doc));
  await tx.db.insert(callNoteUpdates).values({ orgId: tx.tenant.orgId, callId: id, update });
}

async function insertTalk(
  { tx, id, host, startedAt, endedAt }: Stay,
  { guests, chat = [] }: Pick<PastCallContent, 'guests' | 'chat'>,
): Promise<void> {
  const { orgId } = tx.tenant;
  const of = { orgId, callId: id, joinedAt: startedAt, leftAt: endedAt, lastSeenAt: endedAt };
  const staff = {
    ...of,
    id: newId(participantId, startedAt),
    kind: 'staff' as const,
    accountId: host.id,
    name: `${host.firstName} ${host.lastName}`,
  };
  const others = guests.map((name) => ({
    ...of,
    id: newId(participantId, startedAt),
    kind: 'guest' as const,
    accountId: null,
    name,
  }));
  await tx.db.insert(attendances).values([staff, ...others]);
  const messages = chat.map(({ from, text }, index) => {
    const sender: { id: ParticipantId; kind: 'staff' | 'guest'; name: string } =
      from === 'staff' ? staff : (others[from] ?? staff);
    const sentAt = new Date(startedAt.getTime() + (10 + index * 2) * 60_000);
    const { id: sentBy, kind, name } = sender;
    const messageId = newId(chatMessageId, sentAt);
    return { id: messageId, orgId, callId: id, participantId: sentBy, kind, name, text, sentAt };
  });
  if (messages.length > 0) {
    await tx.db
      .insert(chatMessages)
      .values(messages.map((message) => ({ ...message, clientId: message.id })));
  }
}

async function insertScore(
  { tx, id, host, endedAt }: Stay,
  score: number,
  feedback: string | undefined,
): Promise<void> {
  await tx.db.insert(ratings).values({
    id: newId(ratingId, endedAt),
    orgId: tx.tenant.orgId,
    callId: id,
    kind: 'staff',
    accountId: host.id,
    score,
    feedback: feedback ?? null,
    createdAt: endedAt,
    updatedAt: endedAt,
  });
}

/** The list is stored even if it is empty, so that no analyzer reads the notes. */
async function insertActionItems(
  { tx, id, host, endedAt }: Stay,
  items: NonNullable<PastCallContent['actionItems']>,
): Promise<void> {
  const of = { orgId: tx.tenant.orgId, callId: id };
  await tx.db.insert(actionItemLists).values({
    ...of,
    analyzer: 'Rapport',
    offline: true,
    createdBy: host.id,
    createdAt: endedAt,
  });
  const rows = items.map((item, position) => ({
    ...of,
    ...item,
    id: newId(actionItemId),
    position,
    confidence: 0.9,
    description: '',
  }));
  if (rows.length > 0) await tx.db.insert(actionItems).values(rows);
}
