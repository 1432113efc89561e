import { type Call, type CallDetails, call, callDetails } from '#domain/calls/contract.ts';
import { type Playbook, playbook } from '#domain/playbooks/contract.ts';
import { type Room, room } from '#domain/rooms/contract.ts';
import { someId } from '#web/testing/show.tsx';

export const someRoom = (changed: Partial<Room> = {}): Room => ({
  ...room.parse({
    id: someId(40),
    topic: 'Onboarding with Acme',
    status: 'active',
    createdAt: '2026-03-04T09:00:00Z',
    createdBy: { firstName: 'Ada', email: 'ada@example.com' },
    archivedAt: null,
    archivedBy: null,
    lobbySince: null,
    playbookId: null,
    playbook: null,
    calls: [],
    callCount: 0,
  }),
  ...changed,
});

export const someCall = (changed: Partial<Call> = {}): Call => ({
  ...call.parse({
    id: someId(50),
    roomId: someId(40),
    startedAt: '2026-03-04T10:00:00Z',
    endedAt: '2026-03-04T10:05:00Z',
    durationSec: 300,
    checklistStateJson: {},
    checklistItems: [],
    notesSnapshot: null,
    npsScore: null,
    npsFeedback: null,
    createdAt: '2026-03-04T10:00:00Z',
    participantsJson: [],
    agent: null,
    room: { topic: 'Onboarding with Acme' },
  }),
  ...changed,
});

export const someCallDetails = (changed: Partial<CallDetails> = {}): CallDetails => ({
  ...callDetails.parse({
    ...someCall(),
    room: { topic: 'Onboarding with Acme', status: 'active' },
    playbook: null,
    tickedAt: {},
    attendances: [],
    ratings: [],
  }),
  ...changed,
});

export const somePlaybook = (texts: string[], title = 'First call'): Playbook =>
  playbook.parse({
    id: someId(70),
    title,
    description: null,
    checklistItems: texts.map((text, order) => ({ id: someId(80 + order), text, order })),
    status: 'active',
    createdAt: '2026-03-04T09:00:00Z',
    version: 1,
    updatedAt: '2026-03-04T09:00:00Z',
    updatedBy: null,
    archivedAt: null,
    archivedBy: null,
  });
