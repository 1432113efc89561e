import type { ToServer } from '#domain/calls/live.ts';
import { DomainError } from '#domain/errors.ts';
import { chatMessageId } from '#domain/ids.ts';
import type { Services } from '#server/services.ts';
import type { Admitted } from './admit-participant.ts';
import { keepChatMessage, listChat } from './chat.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { orRefuse } from './or-refuse.ts';
import { tellRoom } from './room-events.ts';

type Call = NonNullable<Admitted['call']>;
type Said = Extract<ToServer, { type: 'chat' | 'chat-since' | 'react' }>;

/** What people say without their voice: chat is kept with the call, a reaction is gone in a moment. */
export async function hearChat(
  services: Services,
  person: Person,
  session: LiveSession,
  call: Call | null,
  said: Said,
): Promise<void> {
  if (!person.participant.inMeeting) return;
  if (said.type === 'react') return react(services, person, said);
  const id = 'id' in said ? { id: said.id } : {};
  const failed = 'This could not be sent just now.';
  await orRefuse({ session, log: services.log, ...id, failed }, async () => {
    if (!call) {
      throw new DomainError('conflict', 'no_call', 'The chat opens when the call starts.');
    }
    if (said.type === 'chat-since') return await answerHistory(person, session, call, said);
    await keep(services, person, call, said);
    session.send({ type: 'saved', id: said.id, savedAt: new Date().toISOString() });
  });
}

async function keep(
  { bus }: Services,
  { admitted, participant }: Person,
  call: Call,
  { id: clientId, text }: Extract<Said, { type: 'chat' }>,
): Promise<void> {
  const { claims, mayEdit, tenant } = admitted;
  if (claims.kind === 'staff' && !mayEdit) {
    throw new DomainError('forbidden', 'forbidden', 'Your role does not allow this.');
  }
  const { participantId, kind } = claims;
  const written = { callId: call.id, participantId, kind, name: participant.name, text, clientId };
  const message = await keepChatMessage(tenant, written);
  if (message) {
    tellRoom(bus, claims.roomId, { channel: 'meeting', message: { type: 'chat', message } });
  }
}

async function answerHistory(
  { admitted }: Person,
  session: LiveSession,
  call: Call,
  { after }: Extract<Said, { type: 'chat-since' }>,
): Promise<void> {
  const known = chatMessageId.safeParse(after);
  const messages = await listChat(admitted.tenant, call.id, known.data ?? null);
  session.send({ type: 'chat-history', messages });
}

function react(
  { bus }: Services,
  { admitted, participant }: Person,
  { reaction }: Extract<Said, { type: 'react' }>,
): void {
  tellRoom(bus, admitted.claims.roomId, {
    channel: 'meeting',
    message: { type: 'reacted', from: participant.id, reaction },
  });
}
