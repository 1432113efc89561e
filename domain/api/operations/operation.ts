import type { ApiScope } from '#domain/api/scopes.ts';
import type { Contract } from '#domain/contract.ts';

/** The chapters of the API description, in their order. */
export const chapters = {
  Rooms: 'A room is permanent: its link stays the same from call to call.',
  'Guest links': 'The links by which customers join a room, and when it is open to them.',
  Calls: 'What happens in a room from the first participant to the last.',
  'Action items': 'What was agreed in calls: generated from them, or added by members.',
  Playbooks: 'The checklists that calls begin with.',
  Team: 'The members of the organization.',
  Analytics: 'Sums and averages of calls.',
  Embedding: 'Calls within your own product.',
  Webhooks: 'Events that are sent to your server, signed, and again until it accepts them.',
} as const;

/**
 * How the API description presents a contract that API tokens may use. The key in the tables of this folder is
 * its `operationId`, which clients are generated from: it never changes. Apart from the contracts, so that pages
 * do not load these texts.
 */
export interface Operation {
  contract: Contract & { scope: ApiScope };
  chapter: keyof typeof chapters;
  /** In the imperative, without a period. */
  summary: string;
  /** Full sentences. */
  description: string;
  /** Of the curl example; a value like `$ROOM_ID` is a variable of the shell. */
  example?: { body?: object; query?: Record<string, string> };
}

export type Operations = Record<string, Operation>;
