import { z } from 'zod';
import { storedActionItem } from '#domain/action-items/contract.ts';
import { user } from '#domain/auth/contract.ts';
import { call, rating } from '#domain/calls/contract.ts';
import { accountId, callId, orgId, roomId, webhookId } from '#domain/ids.ts';
import { room } from '#domain/rooms/contract.ts';
import { invitation } from '#domain/team/contract.ts';
import { sentEventTypes, type WebhookEventType } from './event-types.ts';

const sentRoom = room.omit({ calls: true, callCount: true, customerEmail: true });
/** Without notes and checklist, which may be long. */
const sentCall = call.omit({ notesSnapshot: true, checklistItems: true, checklistStateJson: true });
const sentActionItem = storedActionItem.extend({ roomId });
const sentInvitation = invitation.extend({ acceptedAt: z.iso.datetime().nullable() });

/** The `data` of each type of event: the API's own shapes, as they are when the event is sent. */
export const webhookData = {
  'room.created': sentRoom,
  'room.archived': sentRoom,
  'call.started': sentCall,
  'call.ended': sentCall,
  'call.scored': rating.extend({ callId, roomId }),
  'call.summary_ready': z.object({
    callId,
    roomId,
    generatedAt: z.iso.datetime().nullable(),
    /** Sentences; null for what the analyzer cannot tell. */
    summary: z.array(z.string()).nullable(),
    topics: z.array(z.string()).nullable(),
    questions: z
      .array(z.object({ text: z.string(), askedBy: z.string().nullable(), isOpen: z.boolean() }))
      .nullable(),
  }),
  'call.transcript_ready': z.object({
    callId,
    roomId,
    /** Spoken phrases, at least one. */
    lineCount: z.int(),
    /** BCP 47, where the speech service says it. */
    languages: z.array(z.string()),
  }),
  'action_item.created': sentActionItem,
  'action_item.updated': sentActionItem,
  'action_item.completed': sentActionItem,
  'member.added': user.pick({ id: true, firstName: true, lastName: true, email: true, role: true }),
  'member.removed': z.object({ id: accountId }),
  'invitation.created': sentInvitation,
  'invitation.accepted': sentInvitation,
} as const satisfies Record<WebhookEventType, z.ZodObject>;

export const testData = z.object({ webhookId });

/** The body of a delivery (Standard Webhooks). */
export const webhookEnvelope = z.object({
  /** The same in each attempt and replay, and the header `webhook-id`. */
  id: z.uuid(),
  type: z.enum(sentEventTypes),
  /** When it happened. */
  timestamp: z.iso.datetime(),
  organizationId: orgId,
  data: z.record(z.string(), z.unknown()),
});
