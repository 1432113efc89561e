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
  {
    key: 'call_started',
    event: 'call.started',
    noun: 'Call',
    label: 'Call Started',
    when: 'when a call starts',
    sample: call,
    list: calls,
  },
  {
    key: 'call_ended',
    event: 'call.ended',
    noun: 'Call',
    label: 'Call Ended',
    when: 'when a call ends',
    sample: { ...call, endedAt: '2026-11-24T10:21:00.000Z', durationSec: 1260 },
    list: async (z, bundle) => (await calls(z, bundle)).filter(({ endedAt }) => endedAt),
  },
  {
    key: 'call_scored',
    event: 'call.scored',
    noun: 'Score',
    label: 'Call Scored',
    when: 'when staff or a guest scores a call',
    sample: { id, ...ofCall, kind: 'staff', score: 9, feedback: null, name: 'Ada', ratedAt: at },
  },
  {
    key: 'summary_ready',
    event: 'call.summary_ready',
    noun: 'Summary',
    label: 'Summary Ready',
    when: 'when the summary of a call is generated',
    sample: {
      id,
      ...ofCall,
      generatedAt: at,
      summary: ['They renew.'],
      topics: ['Renewal'],
      questions: [],
    },
  },
  {
    key: 'transcript_ready',
    event: 'call.transcript_ready',
    noun: 'Transcript',
    label: 'Transcript Ready',
    when: 'when the transcript of a call is complete',
    sample: { id, ...ofCall, lineCount: 42, languages: ['en'] },
  },
  {
    key: 'action_item_created',
    event: 'action_item.created',
    noun: 'Action Item',
    label: 'Action Item Created',
    when: 'when an action item is generated or added',
    sample: {
      id,
      ...ofCall,
      title: 'Send the offer',
      priority: 'high',
      owner: 'Ada',
      dueOn: null,
    },
    list: actionItems,
  },
  {
    key: 'room_created',
    event: 'room.created',
    noun: 'Room',
    label: 'Room Created',
    when: 'when a room is created',
    sample: { id, topic: 'Kick-off', status: 'active', createdAt: at },
    list: (z, bundle) => newest(z, bundle, 'rooms?limit=3'),
  },
  {
    key: 'member_added',
    event: 'member.added',
    noun: 'Member',
    label: 'Member Joined',
    when: 'when someone joins your team',
    sample: {
      id,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      role: 'AGENT',
    },
    list: (z, bundle) => newest(z, bundle, 'users'),
  },
  {
    key: 'invitation_created',
    event: 'invitation.created',
    noun: 'Invitation',
    label: 'Invitation Created',
    when: 'when someone is invited to your team',
    sample: { id, email: 'bo@example.com', role: 'AGENT', createdAt: at, acceptedAt: null },
  },
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
  kinds.map(({ key, event, noun, label, when, sample, list }) => [
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
