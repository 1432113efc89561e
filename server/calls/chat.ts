import type { ChatMessage } from '#domain/calls/live.ts';
import { type CallId, type ChatMessageId, chatMessageId, type ParticipantId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import { and, asc, desc, eq, gt } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { chatMessages } from './tables.ts';

/** A page that missed more than this receives only the newest. The call's own page lists all. */
const mostTold = 200;

interface Written {
  callId: CallId;
  participantId: ParticipantId;
  kind: 'staff' | 'guest';
  name: string;
  text: string;
  clientId: string;
}

const columns = {
  id: chatMessages.id,
  from: chatMessages.participantId,
  kind: chatMessages.kind,
  name: chatMessages.name,
  text: chatMessages.text,
  sentAt: chatMessages.sentAt,
};
type Row = Omit<ChatMessage, 'sentAt'> & { sentAt: Date };
const told = ({ sentAt, ...row }: Row): ChatMessage => ({ ...row, sentAt: sentAt.toISOString() });

/**
 * Stores a message with its call. The first one of a call writes an audit event.
 * @returns the message, or null when it was stored before
 */
export function keepChatMessage(tenant: Tenant, written: Written): Promise<ChatMessage | null> {
  return tenant.transaction(async (tx) => {
    const [before] = await tx.db
      .select({ id: chatMessages.id })
      .from(chatMessages)
      .where(and(eq(chatMessages.orgId, tenant.orgId), eq(chatMessages.callId, written.callId)))
      .limit(1);
    const [row] = await tx.db
      .insert(chatMessages)
      .values({ id: newId(chatMessageId), orgId: tenant.orgId, ...written, sentAt: new Date() })
      .onConflictDoNothing()
      .returning(columns);
    if (row && !before) {
      await recordEvent(tx, { action: 'CHAT_STARTED', entity: 'call', entityId: written.callId });
    }
    return row ? told(row) : null;
  });
}

/**
 * Returns the messages of a call after the given one, or its newest, in the order in which they
 * were sent.
 */
export function listChat(
  tenant: Tenant,
  callId: CallId,
  after: ChatMessageId | null,
): Promise<ChatMessage[]> {
  return tenant.connection(async ({ db }) => {
    const rows = await db
      .select(columns)
      .from(chatMessages)
      .where(
        and(
          eq(chatMessages.orgId, tenant.orgId),
          eq(chatMessages.callId, callId),
          after ? gt(chatMessages.id, after) : undefined,
        ),
      )
      .orderBy(after ? asc(chatMessages.id) : desc(chatMessages.id))
      .limit(mostTold);
    return (after ? rows : rows.reverse()).map(told);
  });
}
