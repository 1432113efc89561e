import type { PlaybookId } from '#domain/ids.ts';

/** The page of a playbook, with its steps and how it is used. */
export const playbookPath = (id: PlaybookId) => `/app/playbooks/${id}`;
