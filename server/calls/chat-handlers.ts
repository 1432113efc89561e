import { roleForbids } from '#domain/errors.ts';
import { chatMessageId } from '#domain/ids.ts';
import { keepChatMessage, listChat } from './chat.ts';
import type { MessageHandlers, MessageOf, SenderInCall } from './message-handler.ts';
import { tellRoom } from './room-events.ts';

const inChat = {
  channel: 'meeting',
  from: 'meeting',
  failed: 'We couldn’t send this right now.',
  withoutCall: 'Chat opens when the call starts.',
} as const;

const toMeeting = { channel: 'meeting' } as const;

/** Chat messages are stored with the call. Reactions are shown for a moment. */
export const chatHandlers = {
  chat: {
    ...inChat,
    publishes: () => ({ ...toMeeting, message: { type: 'chat' } }),
    handle: storeMessage,
  },
  'chat-since': { ...inChat, handle: sendHistory },
  react: {
    channel: 'meeting',
    from: 'meeting',
    publishes: () => ({ ...toMeeting, message: { type: 'reacted' } }),
    handle: ({ services, person: { admitted, participant } }, { reaction }) =>
      tellRoom(services.bus, admitted.claims.roomId, {
        ...toMeeting,
        message: { type: 'reacted', from: participant.id, reaction },
      }),
  },
} satisfies MessageHandlers<'chat' | 'chat-since' | 'react'>;

async function storeMessage(
  { services, person: { admitted, participant }, session, call }: SenderInCall,
  { id, text }: MessageOf<'chat'>,
): Promise<void> {
  const { claims, mayEdit, tenant } = admitted;
  if (claims.kind === 'staff' && !mayEdit) throw roleForbids();
  const message = await keepChatMessage(tenant, {
    callId: call.id,
    participantId: claims.participantId,
    kind: claims.kind,
    name: participant.name,
    text,
    clientId: id,
  });
  if (message) {
    tellRoom(services.bus, claims.roomId, {
      ...toMeeting,
      message: { type: 'chat', message },
    });
  }
  session.send({ type: 'saved', id, savedAt: new Date().toISOString() });
}

async function sendHistory(
  { person, session, call }: SenderInCall,
  { after }: MessageOf<'chat-since'>,
): Promise<void> {
  const known = chatMessageId.safeParse(after);
  const messages = await listChat(person.admitted.tenant, call.id, known.data ?? null);
  session.send({ type: 'chat-history', messages });
}
