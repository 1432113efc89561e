/** What is forgotten after a while, where an organization wants that; kept for good by default. */
export const retentionKinds = [
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
/** So that nobody wipes out this week's traces by a setting. */
export const shortestAuditDays = 30;
export const shortestDaysOf = (kind: RetentionKind) =>
  kind === 'auditEvents' ? shortestAuditDays : 1;

/** How long an organization can change its mind about its deletion. */
export const deletionGraceDays = 7;
