import { expect, test } from 'vitest';
import type { Participant } from '#domain/calls/participant.ts';
import { roomId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { inProcessBus } from '#server/platform/live-bus.ts';
import { LocalRooms, learnOthers } from './local-room.ts';

const somebody = (id: string): Participant => ({
  ...{ id, kind: 'staff', name: id, avatar: null, media: { audio: true, video: true } },
  ...{ inMeeting: true, connected: true },
});

test('R32-E3: those of another process that died have left for the pages here', async () => {
  const bus = inProcessBus();
  const told: unknown[] = [];
  const rooms = new LocalRooms(bus, ({ elsewhere }, { message }) => {
    told.push(message);
    if (message?.type === 'left') elsewhere.delete(message.participantId);
  });
  const id = newId(roomId);
  const room = rooms.open(id);
  const people = ['ada', 'ben', 'cleo'].map(somebody);
  learnOthers(room, people);
  for (const [n, channel] of (['meeting', 'panel'] as const).entries()) {
    await bus.presence.put({ roomId: id, channel, participant: people[n] ?? somebody('') });
  }
  // Twice, they may not have told of themselves yet.
  for (let n = 0; n < 2; n += 1) await rooms.dropLost();
  expect(told).toEqual([]);
  await bus.presence.put({ roomId: id, channel: 'meeting', participant: somebody('cleo') });
  await rooms.dropLost();
  await bus.presence.remove([{ roomId: id, channel: 'meeting', participantId: 'cleo' }]);
  for (let n = 0; n < 2; n += 1) await rooms.dropLost();
  expect(told).toEqual([]);
  await rooms.dropLost();
  expect(told).toEqual([{ type: 'left', participantId: 'cleo' }]);
  await rooms.dropLost();
  expect(told).toHaveLength(1);
});
