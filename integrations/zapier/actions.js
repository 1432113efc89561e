import { api } from './authentication.js';

const id = '019ab2c4-6f0e-7d51-9c0c-0d6a4f1f2b11';
const field = (key, label, more = {}) => ({ key, label, type: 'string', required: true, ...more });
const optional = { required: false };
const roomSample = { id, topic: 'Kick-off', status: 'active' };
const itemSample = { id, callId: id, title: 'Send the offer', completedAt: null };

/** Sends the fields that were filled in, except `id`, which is in the path. */
const send =
  (method, pathOf, more = {}) =>
  async (z, bundle) => {
    const { id: of, ...body } = bundle.inputData;
    const path = pathOf(encodeURIComponent(of));
    const options = { method, url: api(bundle, path), body: { ...body, ...more } };
    return (await z.request(options)).data;
  };

const create = (key, noun, label, description, inputFields, perform, sample) => [
  key,
  { key, noun, display: { label, description }, operation: { inputFields, perform, sample } },
];

export const creates = Object.fromEntries([
  create(
    ...['create_room', 'Room', 'Create Room', 'Creates a room for calls.'],
    [field('topic', 'Topic'), field('playbookId', 'ID of the playbook', optional)],
    send('POST', () => 'rooms'),
    roomSample,
  ),
  create(
    ...['create_guest_link', 'Guest Link', 'Create Guest Link', 'Creates a link for a guest.'],
    [
      field('id', 'ID of the room'),
      field('name', 'Name of the link'),
      field('expiresInDays', 'Days until it expires', { ...optional, type: 'integer' }),
      field('singleUse', 'Admits one guest only', { ...optional, type: 'boolean' }),
    ],
    send('POST', (room) => `rooms/${room}/guest-links`),
    { id, roomId: id, name: 'For Acme', url: 'https://rapport.example.com/join/…' },
  ),
  create(
    ...['add_action_item', 'Action Item', 'Add Action Item', 'Adds an action item to a call.'],
    [
      field('id', 'ID of the call'),
      field('title', 'Title'),
      field('description', 'Description', { ...optional, type: 'text' }),
      field('priority', 'Priority', { ...optional, choices: ['high', 'medium', 'low'] }),
      field('dueOn', 'Due on (YYYY-MM-DD)', optional),
    ],
    send('POST', (call) => `calls/${call}/action-items`),
    itemSample,
  ),
  create(
    ...['complete_action_item', 'Action Item', 'Complete Action Item', 'Completes an action item.'],
    [field('id', 'ID of the action item')],
    send('PATCH', (item) => `action-items/${item}`, { isCompleted: true }),
    { ...itemSample, completedAt: '2026-11-24T10:00:00.000Z' },
  ),
]);

const search = (key, noun, path, sample) => [
  key,
  {
    key,
    noun,
    display: { label: `Find ${noun}`, description: `Finds a ${noun.toLowerCase()} by its topic.` },
    operation: {
      inputFields: [field('search', 'Part of the topic')],
      perform: async (z, bundle) => {
        const params = { search: bundle.inputData.search, limit: 20 };
        return (await z.request({ url: api(bundle, path), params })).data;
      },
      sample,
    },
  },
];

export const searches = Object.fromEntries([
  search('find_room', 'Room', 'rooms', roomSample),
  search('find_call', 'Call', 'calls', { id, roomId: id, startedAt: '2026-11-24T10:00:00.000Z' }),
]);
