import type { z } from 'zod';
import { DomainError } from '#domain/errors.ts';
import type {
  AccountId,
  ActionItemId,
  CallId,
  InvitationId,
  RoomId,
  WebhookId,
} from '#domain/ids.ts';
import { type SentEventType, testEventType } from '#domain/webhooks/event-types.ts';
import { testData, webhookData } from '#domain/webhooks/events.ts';
import { readActionItem } from '#server/action-items/store.ts';
import { findCallWithoutNotes } from '#server/calls/store.ts';
import { hasHeldWords } from '#server/consent/held-words.ts';
import { findInsights } from '#server/insights/store.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { findRoom } from '#server/rooms/store.ts';
import { ifFound } from './if-found.ts';
import { findInvitation, findMember, findRating, findTranscript } from './subjects.ts';

/** A stored event: references to what it is about. */
export interface WebhookEvent {
  id: string;
  type: SentEventType;
  /** Of the room, call, rating, action item, account, or invitation. */
  subjectId: string;
  roomId: RoomId | null;
  callId: CallId | null;
  createdAt: Date;
}

/**
 * Returns the body of a delivery, built from what is stored now: what was erased meanwhile is not sent. Null if its
 * subject was deleted.
 */
export async function payloadOf(tenant: Tenant, event: WebhookEvent): Promise<string | null> {
  const data = await ifFound(dataOf(tenant, event));
  if (data === null) return null;
  const schema: z.ZodObject = event.type === testEventType ? testData : webhookData[event.type];
  return JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    organizationId: tenant.orgId,
    // Only what is declared.
    data: schema.parse(data),
  });
}

async function dataOf(tenant: Tenant, event: WebhookEvent): Promise<object | null> {
  const { subjectId: id, callId, roomId } = event;
  const ofCall = { callId, roomId };
  switch (event.type) {
    case 'webhook.test':
      return { webhookId: id as WebhookId };
    case 'room.created':
    case 'room.archived':
      return findRoom(tenant, id as RoomId);
    case 'call.started':
    case 'call.ended':
      return findCallWithoutNotes(tenant, id as CallId);
    case 'call.scored': {
      const rating = await findRating(tenant, id);
      return rating && { ...rating, ...ofCall };
    }
    case 'call.summary_ready':
      return callId && { ...(await summaryOf(tenant, callId)), ...ofCall };
    case 'call.transcript_ready': {
      const transcript = await findTranscript(tenant, id as CallId);
      return transcript && { ...transcript, ...ofCall };
    }
    case 'action_item.created':
    case 'action_item.updated':
    case 'action_item.completed':
      return tenant.connection((at) => itemOf(at, id as ActionItemId, roomId));
    case 'member.added':
      return findMember(tenant, id as AccountId);
    case 'member.removed':
      return { id };
    case 'invitation.created':
    case 'invitation.accepted':
      return findInvitation(tenant, id as InvitationId);
  }
}

/** Null for an item that was made of what someone said, while a hold keeps words of a person who withdrew. */
async function itemOf(at: TenantConnection, id: ActionItemId, roomId: RoomId | null) {
  const item = await readActionItem(at, id);
  const isHeld = item.source?.kind === 'line' && (await hasHeldWords(at, item.callId));
  return isHeld ? null : { ...item, roomId };
}

/** @throws DomainError 404 if the insights were deleted, or must not leave */
async function summaryOf(tenant: Tenant, id: CallId) {
  const [isHeld, { insights, generatedAt }] = await tenant.connection(async (at) => [
    await hasHeldWords(at, id),
    await findInsights(at, id),
  ]);
  if (!insights || isHeld) throw new DomainError('not_found', 'not_found', 'There is no summary.');
  const texts = (statements: { text: string }[] | null) =>
    statements?.map(({ text }) => text) ?? null;
  return {
    generatedAt,
    summary: texts(insights.summary),
    topics: texts(insights.topics),
    questions: insights.questions,
  };
}
