import {
  addActionItem,
  deleteActionItem,
  listActionItems,
  listOpenActionItems,
  readActionItem,
  updateActionItem,
} from '#domain/action-items/contract.ts';
import {
  addChecklistItem,
  choosePlaybook,
  countCalls,
  listCalls,
  readCall,
  readChat,
  startCall,
  updateCall,
} from '#domain/calls/contract.ts';
import { readInsights } from '#domain/insights/contract.ts';
import { searchCalls } from '#domain/search/contract.ts';
import { getTranscript } from '#domain/transcripts/contract.ts';
import type { Operations } from './operation.ts';

export const callOperations = {
  listCalls: {
    contract: listCalls,
    chapter: 'Calls',
    summary: 'List calls',
    description:
      'Returns calls, newest first, or filtered and in another order. Long notes are cut and marked by `notesTruncated`.',
    example: { query: { limit: '20', sort: 'newest' } },
  },
  countCalls: {
    contract: countCalls,
    chapter: 'Calls',
    summary: 'Count calls',
    description:
      'Returns how many calls match a filter. `isExact` is false if `search` finds more than 50 rooms, of which the newest 50 count.',
    example: { query: { from: '2026-01-01', to: '2026-12-31' } },
  },
  readCall: {
    contract: readCall,
    chapter: 'Calls',
    summary: 'Read a call',
    description: 'Returns a call with its attendances, scores, checklist, and notes.',
  },
  startCall: {
    contract: startCall,
    chapter: 'Calls',
    summary: 'Start a call',
    description:
      'Starts a call in a room, answered with 201. If one is running there, that one is answered with 200.',
    example: { body: { roomId: '$ROOM_ID' } },
  },
  updateCall: {
    contract: updateCall,
    chapter: 'Calls',
    summary: 'Update or end a call',
    description:
      'Changes the fields that are sent: ticks, notes, or the score. `endedAt` ends the call; while other members are in it, this takes `endForEveryone`.',
    example: { body: { npsScore: 9, npsFeedback: 'Loves the new reports.' } },
  },
  addChecklistItem: {
    contract: addChecklistItem,
    chapter: 'Calls',
    summary: 'Add a checklist step',
    description: 'Adds a step to the checklist of a running call. The playbook does not change.',
    example: { body: { text: 'Ask for a reference' } },
  },
  choosePlaybook: {
    contract: choosePlaybook,
    chapter: 'Calls',
    summary: 'Choose the playbook of a call',
    description: 'Gives a running call without a playbook one, and also its room if it has none.',
    example: { body: { playbookId: '$PLAYBOOK_ID' } },
  },
  readChat: {
    contract: readChat,
    chapter: 'Calls',
    summary: 'Read the chat of a call',
    description: 'Returns the newest 200 messages, oldest first.',
  },
  getTranscript: {
    contract: getTranscript,
    chapter: 'Calls',
    summary: 'Read the transcript of a call',
    description:
      'Returns what was said, in order, up to 1000 lines. Send `next` as `after` to get the following lines. There is a transcript only if participants agreed.',
  },
  readInsights: {
    contract: readInsights,
    chapter: 'Calls',
    summary: 'Read the insights of a call',
    description:
      'Returns summary, topics, questions, and talk shares. Each statement names the lines that it is based on.',
  },
  searchCalls: {
    contract: searchCalls,
    chapter: 'Calls',
    summary: 'Search calls',
    description:
      'Finds words in transcripts, chats, notes, action items, and insights. Send `next` as `before` to get the following calls.',
    example: { query: { q: 'renewal' } },
  },
  listActionItems: {
    contract: listActionItems,
    chapter: 'Action items',
    summary: 'List the action items of a call',
    description: 'Returns open items first, in the order of the notes.',
  },
  listOpenActionItems: {
    contract: listOpenActionItems,
    chapter: 'Action items',
    summary: 'List the open action items of a room',
    description: 'Returns the open items of the newest 100 calls of a room, newest call first.',
  },
  readActionItem: {
    contract: readActionItem,
    chapter: 'Action items',
    summary: 'Read an action item',
    description: 'Returns an item, with the ETag that `If-Match` compares.',
  },
  addActionItem: {
    contract: addActionItem,
    chapter: 'Action items',
    summary: 'Add an action item',
    description: 'Adds an item to a call. Generating items again keeps it.',
    example: { body: { title: 'Send the offer', priority: 'high', dueOn: '2026-12-18' } },
  },
  updateActionItem: {
    contract: updateActionItem,
    chapter: 'Action items',
    summary: 'Update an action item',
    description:
      'Changes the fields that are sent. `isCompleted` completes or reopens it, and `assigneeId` assigns it to a member.',
    example: { body: { isCompleted: true } },
  },
  deleteActionItem: {
    contract: deleteActionItem,
    chapter: 'Action items',
    summary: 'Delete an action item',
    description: 'Deletes an item. Generating items again does not bring it back.',
  },
} as const satisfies Operations;
