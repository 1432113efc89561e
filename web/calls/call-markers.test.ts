import { expect, test } from 'vitest';
import { storedActionItem } from '#domain/action-items/contract.ts';
import { transcriptLine } from '#domain/transcripts/contract.ts';
import { callMarkers } from '#web/calls/call-markers.ts';
import { someId } from '#web/testing/show.tsx';
import { someCallDetails, somePlaybook } from '#web/testing/some.ts';

const playbook = somePlaybook(['Say hello', 'Agree']);
const [first] = playbook.checklistItems;
const call = someCallDetails({
  checklistItems: playbook.checklistItems,
  tickedAt: { [first?.id ?? '']: '2026-03-04T10:02:00Z' },
});
const message = {
  id: someId(1),
  name: 'Grace',
  text: 'See page 2',
  sentAt: '2026-03-04T10:01:00Z',
};
const line = transcriptLine.parse({
  id: someId(2),
  participantId: someId(3),
  name: 'Grace',
  kind: 'guest',
  startMs: 90_000,
  endMs: 95_000,
  language: 'en',
  text: 'Well, I will send the signed contract — by Friday!',
  recognizedText: null,
});
const item = (changed: object = {}) =>
  storedActionItem.parse({
    id: someId(4),
    callId: call.id,
    priority: 'high',
    confidence: 0.9,
    title: 'Send the contract',
    description: 'I will send the signed contract by Friday',
    owner: null,
    due: null,
    dueOn: null,
    assigneeId: null,
    completedAt: null,
    completedBy: null,
    isGenerated: true,
    isEdited: false,
    ...changed,
  });
const markers = (changed: object = {}) =>
  callMarkers({ call, messages: [message], items: [item(changed)], lines: [line] });

test('ticks, chat, and action items are at the second at which they happened, in order', () => {
  expect(markers().map(({ kind, atMs, text }) => [kind, atMs, text])).toEqual([
    ['message', 60_000, 'Grace: See page 2'],
    ['item', 90_000, 'Send the contract'],
    ['tick', 120_000, 'Say hello'],
  ]);
});

test.each([
  ['that a member wrote', { isGenerated: false }],
  ['that a member edited', { isEdited: true }],
  ['without words', { description: ' — ' }],
  ['whose words nobody said', { description: 'Buy a boat' }],
])('an action item %s has no second', (_, changed) => {
  expect(markers(changed).map(({ kind }) => kind)).toEqual(['message', 'tick']);
});

test('what happened before the call began is not on the timeline', () => {
  const early = { ...message, sentAt: '2026-03-04T09:59:00Z' };
  expect(callMarkers({ call, messages: [early], items: [], lines: [] })).toHaveLength(1);
});
