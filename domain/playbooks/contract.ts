import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { checklistItemId, playbookId, roomId } from '#domain/ids.ts';
import { pageQuery, searchText } from '#domain/paging.ts';

/** Of a playbook, and of the checklist of a call. */
export const mostItems = 200;
/** 200 items of 500 characters of up to three bytes, with their ids. */
const playbookBytes = 400_000;

export const checklistItem = z.object({
  id: checklistItemId,
  text: z.string(),
  order: z.int(),
});
export type ChecklistItem = z.infer<typeof checklistItem>;

export const playbookStatus = z.enum(['active', 'archived']);
const person = z.object({ firstName: z.string(), email: z.string() });

export const playbook = z.object({
  id: playbookId,
  title: z.string(),
  description: z.string().nullable(),
  checklistItems: z.array(checklistItem),
  status: playbookStatus,
  createdAt: z.iso.datetime(),
  /** Counts the edits. An edit names the version that it is based on. */
  version: z.int(),
  updatedAt: z.iso.datetime(),
  updatedBy: person.nullable(),
  archivedAt: z.iso.datetime().nullable(),
  archivedBy: person.nullable(),
  /** Sample data. */
  sample: z.literal(true).optional(),
});
export type Playbook = z.infer<typeof playbook>;

export const itemText = z
  .string({ error: 'Item text is required' })
  .trim()
  .min(1, 'Item text is required')
  .max(500, 'Please use at most 500 characters');
const listOf = <Item extends z.ZodObject>(item: Item) =>
  z
    .array(item, { error: 'At least one checklist item is required' })
    .min(1, 'At least one checklist item is required')
    .max(mostItems, `A playbook can have at most ${mostItems} items`);

/** Spec section 5, Create playbook. Order is the order of the array. */
export const createPlaybookBody = z.object({
  title: z
    .string({ error: 'Title is required' })
    .trim()
    .min(1, 'Title is required')
    .max(200, 'Please use at most 200 characters'),
  description: z.string().trim().max(2000, 'Please use at most 2000 characters').optional(),
  checklistItems: listOf(z.object({ text: itemText })),
});

/**
 * The complete new playbook. Existing items have their id, new ones none. `version` is the one that
 * was read. If it is no longer the newest, the edit is refused.
 */
export const updatePlaybookBody = createPlaybookBody.extend({
  version: z.int('Send the version that you read'),
  checklistItems: listOf(z.object({ id: checklistItemId.optional(), text: itemText })),
});

/** Active playbooks by default. `search` matches anywhere in the title. */
export const playbookQuery = pageQuery.extend({
  status: playbookStatus.default('active'),
  search: searchText.optional(),
});
export type PlaybookQuery = z.infer<typeof playbookQuery>;

const byId = z.object({ id: playbookId });

export const listPlaybooks = contract({
  method: 'GET',
  path: '/api/playbooks',
  summary: 'Playbooks, newest first',
  permission: 'playbooks.read',
  scope: 'playbooks:read',
  query: playbookQuery,
  output: { 200: z.array(playbook) },
});

export const createPlaybook = contract({
  method: 'POST',
  path: '/api/playbooks',
  summary: 'Make a playbook',
  permission: 'playbooks.create',
  stores: true,
  scope: 'playbooks:write',
  body: createPlaybookBody,
  bodyLimit: playbookBytes,
  output: { 201: playbook },
  errors: [400],
});

export const readPlaybook = contract({
  method: 'GET',
  path: '/api/playbooks/:id',
  summary: 'One playbook',
  permission: 'playbooks.read',
  scope: 'playbooks:read',
  params: byId,
  output: { 200: playbook },
  errors: [404],
});

/** How a playbook is used. */
export const playbookUse = z.object({
  /** The newest 50 active rooms that have it. */
  rooms: z.array(z.object({ id: roomId, topic: z.string() })),
  /** The newest calls with it that count in averages, at most 100, which the steps are counted over. */
  calls: z.int(),
  /** Of each step that such a call had: in how many calls it was, and in how many it was done. */
  steps: z.array(z.object({ id: checklistItemId, calls: z.int(), done: z.int() })),
});
export type PlaybookUse = z.infer<typeof playbookUse>;

export const readPlaybookUse = contract({
  method: 'GET',
  path: '/api/playbooks/:id/use',
  summary: 'The rooms that have a playbook, and how often each step was done in its newest calls',
  permission: 'playbooks.read',
  scope: 'playbooks:read',
  params: byId,
  output: { 200: playbookUse },
  errors: [404],
});

export const updatePlaybook = contract({
  method: 'PUT',
  path: '/api/playbooks/:id',
  summary: 'Change a playbook; calls keep the checklist they began with',
  permission: 'playbooks.update',
  stores: true,
  scope: 'playbooks:write',
  params: byId,
  body: updatePlaybookBody,
  bodyLimit: playbookBytes,
  output: { 200: playbook },
  errors: [400, 404, 409],
});

export const archivePlaybook = contract({
  method: 'PUT',
  path: '/api/playbooks/:id/archive',
  summary: 'Archive a playbook: rooms that have it keep it, new ones cannot choose it',
  permission: 'playbooks.archive',
  scope: 'playbooks:write',
  params: byId,
  output: { 200: playbook },
  errors: [404],
});

export const restorePlaybook = contract({
  method: 'DELETE',
  path: '/api/playbooks/:id/archive',
  summary: 'Bring an archived playbook back',
  permission: 'playbooks.archive',
  scope: 'playbooks:write',
  params: byId,
  output: { 200: playbook },
  errors: [404],
});
