import { readAnalytics } from '#domain/analytics/contract.ts';
import {
  archivePlaybook,
  createPlaybook,
  listPlaybooks,
  readPlaybook,
  readPlaybookUse,
  restorePlaybook,
  updatePlaybook,
} from '#domain/playbooks/contract.ts';
import { listUsers } from '#domain/team/contract.ts';
import type { Operations } from './operation.ts';

const onboarding = {
  title: 'Onboarding',
  checklistItems: [{ text: 'Agree on goals' }, { text: 'Show the first report' }],
};

export const teamOperations = {
  listPlaybooks: {
    contract: listPlaybooks,
    chapter: 'Playbooks',
    summary: 'List playbooks',
    description: 'Returns active playbooks, newest first. `status=archived` returns archived ones.',
    example: { query: { search: 'onboarding' } },
  },
  createPlaybook: {
    contract: createPlaybook,
    chapter: 'Playbooks',
    summary: 'Create a playbook',
    description: 'Creates a playbook with up to 200 steps, in the order of the array.',
    example: { body: onboarding },
  },
  readPlaybook: {
    contract: readPlaybook,
    chapter: 'Playbooks',
    summary: 'Read a playbook',
    description: 'Returns one playbook, active or archived, with its `version`.',
  },
  readPlaybookUse: {
    contract: readPlaybookUse,
    chapter: 'Playbooks',
    summary: 'Read how a playbook is used',
    description: 'Returns the rooms that have it, and how often each step was done lately.',
  },
  updatePlaybook: {
    contract: updatePlaybook,
    chapter: 'Playbooks',
    summary: 'Replace a playbook',
    description:
      'Replaces title and steps. `version` is the one that you read; if it is no longer the newest, the answer is 409. Steps that stay keep their `id`. Calls keep the checklist that they began with.',
    example: { body: { ...onboarding, version: 1 } },
  },
  archivePlaybook: {
    contract: archivePlaybook,
    chapter: 'Playbooks',
    summary: 'Archive a playbook',
    description: 'Rooms that have it keep it, and others can no longer choose it.',
  },
  restorePlaybook: {
    contract: restorePlaybook,
    chapter: 'Playbooks',
    summary: 'Restore a playbook',
    description: 'Makes an archived playbook active again.',
  },
  listUsers: {
    contract: listUsers,
    chapter: 'Team',
    summary: 'List members',
    description: 'Returns the members of the organization, by name.',
  },
  readAnalytics: {
    contract: readAnalytics,
    chapter: 'Analytics',
    summary: 'Read analytics',
    description:
      'Returns the figures of the analytics page, over all calls or those of a filter. Averages are over completed calls with a guest.',
    example: { query: { from: '2026-01-01', to: '2026-12-31' } },
  },
} as const satisfies Operations;
