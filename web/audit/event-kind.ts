export type EventKind = 'delete' | 'create' | 'update' | 'invite' | 'other';

const words: readonly [EventKind, RegExp][] = [
  ['delete', /DELETE|REMOVE/],
  ['create', /CREATE/],
  ['update', /UPDATE/],
  ['invite', /INVITE|INVITATION/],
];

/** What an action does, by which its icon is chosen (spec section 2, Audit logs). */
export const kindOf = (action: string): EventKind =>
  words.find(([, word]) => word.test(action))?.[0] ?? 'other';

/** 'ROLE_UPDATED' reads 'ROLE UPDATED'. */
export const actionText = (action: string) => action.replaceAll('_', ' ');
