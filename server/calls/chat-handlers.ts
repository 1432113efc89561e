import { roleForbids } from '#domain/errors.ts';
import { chatMessageId } from '#domain/ids.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { keepChatMessage, listChat } from './chat.ts';
import { entrantOf } from './live-person.ts';
import type { MessageHandlers, MessageOf, SenderInCall } from './message-handler.ts';
import { tellRoom } from './room-events.ts';

const inChat = {
  channel: 'meeting',
  from: 'meeting',
  failed: 'We couldn’t send this right now.',
  withoutCall: 'Chat opens when the call starts.',
} as const;

/** Characters of what a page is told of the chat that it missed. */
const longestHistory = 100_000;
/** Characters of histories that the pages of an organization are sent. Guests ask for them, too. */
const histories = new PacedTurns({ burst: 1_000_000, perSecond: 100_000 });
/** A page that leaves has its turn, and its session is not there. */
const never = new AbortController().signal;

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
  const { tenant } = person.admitted;
  const messages = await listChat(tenant, call.id, known.data ?? null, longestHistory);
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  await histories.turn(tenant.orgId, entrantOf(person), never, characters);
  session.send({ type: 'chat-history', messages });
}
