import { DomainError, roleForbids } from '#domain/errors.ts';
import { storedBytes, timesOfSearched } from '#server/platform/stored-bytes.ts';
import { captureHandlers } from './capture-handlers.ts';
import { chatHandlers } from './chat-handlers.ts';
import { editHandlers } from './edit-handlers.ts';
import { hostHandlers } from './host-handlers.ts';
import type { Person } from './live-person.ts';
import { lobbyHandlers } from './lobby-handlers.ts';
import { meetingHandlers } from './meeting-handlers.ts';
import { messageBounds } from './message-bounds.ts';
import type {
  MessageHandler,
  MessageHandlers,
  MessageOf,
  MessageType,
  Sender,
} from './message-handler.ts';
import { orRefuse } from './or-refuse.ts';
import type { Addressed } from './room-events.ts';

const handlers: MessageHandlers<MessageType> = {
  ...meetingHandlers,
  ...chatHandlers,
  ...hostHandlers,
  ...lobbyHandlers,
  ...editHandlers,
  ...captureHandlers,
};

/** Returns the event of the room that a message leads to, if more than one participant may be told. */
export const publishedBy = (type: MessageType, person: Person): Addressed | undefined =>
  handlers[type].publishes?.(person);

/** Handles a message under the conditions of its handler. If it cannot be done, the answer is `refused`. */
export async function handleMessage<Type extends MessageType>(
  sender: Sender,
  type: Type,
  message: MessageOf<Type>,
): Promise<void> {
  const handler: MessageHandler<Type> = handlers[type];
  const { person, rooms, session, services } = sender;
  const handle = async () => {
    if (handler.mayEdit && !person.admitted.mayEdit) throw roleForbids();
    if (!isExpected(handler, sender)) return;
    if (messageBounds[type].stores) {
      storedBytes(services).take(person.admitted.tenant, storedBy(message));
    }
    if (handler.withoutCall === undefined) return handler.handle(sender, message);
    const call = rooms.callOf(person);
    if (!call) throw new DomainError('conflict', 'no_call', handler.withoutCall);
    await handler.handle({ ...sender, call }, message);
  };
  const { failed } = handler;
  if (failed === undefined) return handle();
  const id = 'id' in message ? { id: message.id } : {};
  await orRefuse({ session, log: services.log, ...id, failed }, handle);
}

/** The bytes of text that a message stores. */
function storedBy(message: MessageOf<MessageType>): number {
  if (message.type === 'chat') return Buffer.byteLength(message.text) * timesOfSearched;
  return message.type === 'note' ? message.update.length : 0;
}

function isExpected<Type extends MessageType>(
  { channel, from }: MessageHandler<Type>,
  { session, person }: Sender,
): boolean {
  if (session.channel !== channel) return false;
  return from === undefined || person.participant.inMeeting === (from === 'meeting');
}
