export type EventKind = 'delete' | 'create' | 'update' | 'invite' | 'other';

const words: readonly [EventKind, RegExp][] = [
  ['delete', /DELETE|REMOVE/],
  ['create', /CREATE/],
  ['update', /UPDATE/],
  ['invite', /INVITE|INVITATION/],
];

/** Returns what an action does, which decides its icon (spec section 2, Audit logs). */
export const kindOf = (action: string): EventKind =>
  words.find(([, word]) => word.test(action))?.[0] ?? 'other';

/** Formats 'ROLE_UPDATED' as 'ROLE UPDATED'. */
export const actionText = (action: string) => action.replaceAll('_', ' ');
