import type { ChatMessage } from '#domain/calls/live.ts';
import { longestChatMessage } from '#domain/calls/live-limits.ts';
import { type CallId, type ChatMessageId, chatMessageId, type ParticipantId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
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
type Row = Omit<ChatMessage, 'sentAt'> & { sentAt: Date } & Record<string, unknown>;
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

const listed: Statement = {
  name: 'chat_of_call',
  text: `select id, participant_id as "from", kind, name, text, sent_at as "sentAt"
    from (
      select m.*, sum(length(m.text)) over (order by m.id desc) as characters
      from (
        select * from chat_messages where org_id = $1 and call_id = $2 and id > $3
        order by id desc limit ${mostTold}
      ) m
    ) n where n.characters <= $4 order by id`,
};
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Returns the newest messages of a call after the given one, of so many characters, in the order in which they were sent. */
export async function listChat(
  tenant: Tenant,
  callId: CallId,
  after: ChatMessageId | null,
  characters = mostTold * longestChatMessage,
): Promise<ChatMessage[]> {
  const values = [tenant.orgId, callId, after ?? beforeAll, characters];
  return (await tenant.connection(({ run }) => run<Row>(listed, values))).map(told);
}
