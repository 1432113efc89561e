import { z } from 'zod';
import { updatePlaybookBody } from '#domain/playbooks/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';

/** `newItem` is the text of a new item that was not added yet; `version` of a new playbook is 0. */
const schema = updatePlaybookBody.extend({ newItem: z.string() });
export type PlaybookValues = z.input<typeof schema>;
export type PlaybookEdit = z.output<typeof schema>;
export const playbookResolver = formResolver(schema);

export const emptyPlaybook: PlaybookValues = {
  title: '',
  description: '',
  checklistItems: [],
  version: 0,
  newItem: '',
};
