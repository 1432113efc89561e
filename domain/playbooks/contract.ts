import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { checklistItemId, playbookId } from '#domain/ids.ts';
import { pageQuery } from '#domain/paging.ts';

const mostItems = 200;

export const checklistItem = z.object({
  id: checklistItemId,
  text: z.string(),
  order: z.int(),
});
export type ChecklistItem = z.infer<typeof checklistItem>;

export const playbook = z.object({
  id: playbookId,
  title: z.string(),
  description: z.string().nullable(),
  checklistItems: z.array(checklistItem),
  createdAt: z.iso.datetime(),
});
export type Playbook = z.infer<typeof playbook>;

/** Spec section 5, Create playbook. Order is the order of the array. */
export const createPlaybookBody = z.object({
  title: z
    .string({ error: 'Title is required' })
    .trim()
    .min(1, 'Title is required')
    .max(200, 'Please use at most 200 characters'),
  description: z.string().trim().max(2000, 'Please use at most 2000 characters').optional(),
  checklistItems: z
    .array(
      z.object({
        text: z
          .string({ error: 'Item text is required' })
          .trim()
          .min(1, 'Item text is required')
          .max(500, 'Please use at most 500 characters'),
      }),
      { error: 'At least one checklist item is required' },
    )
    .min(1, 'At least one checklist item is required')
    .max(mostItems, `A playbook holds at most ${mostItems} items`),
});

export const listPlaybooks = contract({
  method: 'GET',
  path: '/api/playbooks',
  summary: 'Playbooks, newest first',
  permission: 'playbooks.read',
  query: pageQuery,
  output: { 200: z.array(playbook) },
});

export const createPlaybook = contract({
  method: 'POST',
  path: '/api/playbooks',
  summary: 'Make a playbook',
  permission: 'playbooks.create',
  body: createPlaybookBody,
  output: { 201: playbook },
  errors: [400],
});
