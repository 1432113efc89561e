/** Kinds of data that an organization can have deleted after a time. By default they are kept. */
export const retentionKinds = [
  'recordings',
  'transcripts',
  'notes',
  'chats',
  'aiResults',
  'feedback',
  'guestNames',
  'auditEvents',
  'mails',
  'sessions',
  'invitations',
] as const;
export type RetentionKind = (typeof retentionKinds)[number];

export const longestRetentionDays = 3650;
/** Prevents an admin from erasing recent traces by a setting. */
export const shortestAuditDays = 30;
export const shortestDaysOf = (kind: RetentionKind) =>
  kind === 'auditEvents' ? shortestAuditDays : 1;

/** How long an organization can cancel its deletion. */
export const deletionGraceDays = 7;
