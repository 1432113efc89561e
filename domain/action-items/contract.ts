import { z } from 'zod';
import { actionItem, analyzer, priorities, timeZone } from '#domain/ai/contract.ts';
import { contract } from '#domain/contract.ts';
import { accountId, actionItemId, callId, roomId } from '#domain/ids.ts';

/** Of one call. */
export const mostActionItems = 200;

/** An action item of a call, as it is stored. */
export const storedActionItem = actionItem.extend({
  id: actionItemId,
  callId,
  /** The day on which it is due. `due` has the words of the notes. */
  dueOn: z.iso.date().nullable(),
  /** The member whom it is assigned to. `owner` is then that member's name. */
  assigneeId: accountId.nullable(),
  completedAt: z.iso.datetime().nullable(),
  /** The name of the member who completed it; null for a deleted account. */
  completedBy: z.string().nullable(),
  /** False for an item that a member added. */
  isGenerated: z.boolean(),
  /** A member edited it, so that generating again keeps it. */
  isEdited: z.boolean(),
});
export type StoredActionItem = z.infer<typeof storedActionItem>;

export const actionItemList = z.object({
  actionItems: z.array(storedActionItem),
  /** When they were last generated from the notes. Null before the first time. */
  generatedAt: z.iso.datetime().nullable(),
  analyzer: analyzer.nullable(),
});
export type ActionItemList = z.infer<typeof actionItemList>;

const titleText = z
  .string({ error: 'Title is required' })
  .trim()
  .min(1, 'Title is required')
  .max(500, 'Please use at most 500 characters');
const tooLong = 'Please use at most 2000 characters';
const day = z.iso
  .date('Please enter a valid date')
  .refine((text) => text >= '2000-01-01' && text <= '2199-12-31', 'Please enter a valid date');
const fields = {
  description: z.string().trim().max(2000, tooLong),
  priority: z.enum(priorities),
  owner: z.string().trim().max(120, 'Please use at most 120 characters').nullable(),
  assigneeId: accountId.nullable(),
  dueOn: day.nullable(),
};

export const addActionItemBody = z.object({
  title: titleText,
  description: fields.description.optional(),
  priority: fields.priority.optional(),
  owner: fields.owner.optional(),
  assigneeId: fields.assigneeId.optional(),
  dueOn: fields.dueOn.optional(),
});

/** The fields to change. An `assigneeId` also sets `owner`; an `owner` alone ends the assignment. */
export const updateActionItemBody = addActionItemBody
  .partial()
  .extend({ isCompleted: z.boolean().optional() });
export type UpdateActionItemBody = z.infer<typeof updateActionItemBody>;

const ofCall = z.object({ id: callId });
const byId = z.object({ id: actionItemId });

export const listActionItems = contract({
  method: 'GET',
  path: '/api/calls/:id/action-items',
  summary: 'The action items of a call: open ones first, in the order of the notes',
  permission: 'calls.read',
  scope: 'calls:read',
  params: ofCall,
  output: { 200: actionItemList },
  errors: [404],
});

export const addActionItem = contract({
  method: 'POST',
  path: '/api/calls/:id/action-items',
  summary: 'Add an action item to a call',
  permission: 'calls.update',
  stores: true,
  scope: 'calls:write',
  params: ofCall,
  body: addActionItemBody,
  output: { 201: storedActionItem },
  errors: [400, 404, 409],
});

/**
 * Items that members edited, completed, or added stay, and deleted ones do not come back. The others are replaced by
 * what the notes say now.
 */
export const regenerateActionItems = contract({
  method: 'POST',
  path: '/api/calls/:id/action-items/generate',
  summary: 'Generate the action items of a call again, from its stored notes',
  permission: 'ai.analyze',
  stores: true,
  params: ofCall,
  body: z.object({ timeZone }),
  output: { 200: actionItemList },
  errors: [400, 404, 429],
});

export const readActionItem = contract({
  method: 'GET',
  path: '/api/action-items/:id',
  summary: 'One action item',
  permission: 'calls.read',
  scope: 'calls:read',
  params: byId,
  output: { 200: storedActionItem },
  errors: [404],
});

export const updateActionItem = contract({
  method: 'PATCH',
  path: '/api/action-items/:id',
  summary: 'Edit, assign, complete, or reopen an action item',
  permission: 'calls.update',
  stores: true,
  scope: 'calls:write',
  params: byId,
  body: updateActionItemBody,
  output: { 200: storedActionItem },
  errors: [400, 404, 409],
});

export const deleteActionItem = contract({
  method: 'DELETE',
  path: '/api/action-items/:id',
  summary: 'Delete an action item',
  permission: 'calls.update',
  scope: 'calls:write',
  params: byId,
  output: { 204: null },
  errors: [404, 409],
});

/** As many calls of a room are searched for open action items, the newest first. */
export const callsWithOpenItems = 100;

export const listOpenActionItems = contract({
  method: 'GET',
  path: '/api/rooms/:id/action-items',
  summary: `The open action items of a room’s newest ${callsWithOpenItems} calls, newest call first`,
  permission: 'calls.read',
  scope: 'calls:read',
  params: z.object({ id: roomId }),
  output: { 200: z.array(storedActionItem).max(mostActionItems) },
  errors: [404],
});
