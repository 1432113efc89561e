import { api } from './authentication.js';
import { isSigned } from './signature.js';

const id = '019ab2c4-6f0e-7d51-9c0c-0d6a4f1f2b11';
const at = '2026-11-24T10:00:00.000Z';
const ofCall = { callId: id, roomId: id };
const call = { id, roomId: id, startedAt: at, endedAt: null, durationSec: null };

async function newest(z, bundle, path) {
  const { data } = await z.request({ url: api(bundle, path) });
  return data.slice(0, 3);
}
const calls = (z, bundle) => newest(z, bundle, 'calls?limit=3');

async function actionItems(z, bundle) {
  for (const { id: callId } of await calls(z, bundle)) {
    const { data } = await z.request({ url: api(bundle, `calls/${callId}/action-items`) });
    if (data.actionItems.length > 0) return data.actionItems.slice(0, 3);
  }
  return [];
}

/** Each with the event of docs/webhooks.md. Without `list`, the API has no list of it for tokens, or of another shape. */
const kinds = [
  ['call_started', 'call.started', 'Call', 'Call Started', 'when a call starts', call, calls],
  [
    ...['call_ended', 'call.ended', 'Call', 'Call Ended', 'when a call ends'],
    { ...call, endedAt: '2026-11-24T10:21:00.000Z', durationSec: 1260 },
    async (z, bundle) => (await calls(z, bundle)).filter(({ endedAt }) => endedAt),
  ],
  [
    ...[
      'call_scored',
      'call.scored',
      'Score',
      'Call Scored',
      'when staff or a guest scores a call',
    ],
    { id, ...ofCall, kind: 'staff', score: 9, feedback: null, name: 'Ada', ratedAt: at },
  ],
  [
    ...['summary_ready', 'call.summary_ready', 'Summary', 'Summary Ready'],
    'when the summary of a call is generated',
    {
      id,
      ...ofCall,
      generatedAt: at,
      summary: ['They renew.'],
      topics: ['Renewal'],
      questions: [],
    },
  ],
  [
    ...['transcript_ready', 'call.transcript_ready', 'Transcript', 'Transcript Ready'],
    'when the transcript of a call is complete',
    { id, ...ofCall, lineCount: 42, languages: ['en'] },
  ],
  [
    ...['action_item_created', 'action_item.created', 'Action Item', 'Action Item Created'],
    'when an action item is generated or added',
    { id, ...ofCall, title: 'Send the offer', priority: 'high', owner: 'Ada', dueOn: null },
    actionItems,
  ],
  [
    ...['room_created', 'room.created', 'Room', 'Room Created', 'when a room is created'],
    { id, topic: 'Kick-off', status: 'active', createdAt: at },
    (z, bundle) => newest(z, bundle, 'rooms?limit=3'),
  ],
  [
    ...['member_added', 'member.added', 'Member', 'Member Joined', 'when someone joins your team'],
    { id, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', role: 'AGENT' },
    (z, bundle) => newest(z, bundle, 'users'),
  ],
  [
    ...['invitation_created', 'invitation.created', 'Invitation', 'Invitation Created'],
    'when someone is invited to your team',
    { id, email: 'bo@example.com', role: 'AGENT', createdAt: at, acceptedAt: null },
  ],
];

const subscribe = (event) => async (z, bundle) => {
  const body = { url: bundle.targetUrl, events: [event], description: 'Zapier' };
  return (await z.request({ method: 'POST', url: api(bundle, 'webhooks'), body })).data;
};

async function unsubscribe(z, bundle) {
  const url = api(bundle, `webhooks/${bundle.subscribeData.id}`);
  await z.request({ method: 'DELETE', url });
  return {};
}

function receive(z, bundle) {
  const { secret } = bundle.subscribeData ?? {};
  if (!secret || !isSigned(bundle.rawRequest ?? {}, secret))
    throw new z.errors.Error('This event is not signed by Rapport.', 'invalid_signature', 401);
  const { id: eventId, timestamp, data } = bundle.cleanedRequest;
  return [{ id: eventId, ...data, eventId, happenedAt: timestamp }];
}

export const triggers = Object.fromEntries(
  kinds.map(([key, event, noun, label, when, sample, list]) => [
    key,
    {
      key,
      noun,
      display: { label, description: `Triggers ${when}.` },
      operation: {
        type: 'hook',
        performSubscribe: subscribe(event),
        performUnsubscribe: unsubscribe,
        perform: receive,
        performList: list ?? (async () => [sample]),
        sample,
      },
    },
  ]),
);
