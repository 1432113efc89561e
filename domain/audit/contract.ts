import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { accountId, roomId } from '#domain/ids.ts';
import { pageQuery } from '#domain/paging.ts';

/** Spec section 3. `userId` is absent where no account acted: a guest, or the system. */
export const auditEvent = z.object({
  id: z.uuid(),
  action: z.string(),
  entity: z.string(),
  entityId: z.uuid().nullable(),
  /** What was changed, by its present name; null if it is gone. `roomId`: the room of a guest link. */
  target: z.object({ name: z.string(), roomId: roomId.optional() }).nullable(),
  userId: z.string().optional(),
  /** The actor's name for display, such as a person's name, 'Guest' or 'System'. */
  actor: z.object({ kind: z.enum(['user', 'guest', 'token', 'system']), name: z.string() }),
  /** Address of the client; null for jobs. */
  address: z.string().nullable(),
  createdAt: z.iso.datetime(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** Filters events by action, account, and time (`from` inclusive, `to` exclusive). */
export const auditFilter = z.object({
  action: z
    .string()
    .max(100)
    .regex(/^[A-Z]+(_[A-Z]+)*$/, 'Please choose an action from the list')
    .optional(),
  userId: accountId.optional(),
  from: z.iso.datetime({ error: 'Please choose a date' }).optional(),
  to: z.iso.datetime({ error: 'Please choose a date' }).optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const listAuditEvents = contract({
  method: 'GET',
  path: '/api/audit-events',
  summary: 'What happened in your organization, newest first',
  permission: 'audit.read',
  query: pageQuery.extend(auditFilter.shape),
  output: { 200: z.array(auditEvent) },
});

export const readAuditChoices = contract({
  method: 'GET',
  path: '/api/audit-events/choices',
  summary: 'The actions and the people that the log of your organization has',
  permission: 'audit.read',
  output: {
    200: z.object({
      actions: z.array(z.string()),
      people: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  },
});

export const exportFormats = ['csv', 'jsonl'] as const;
export const exportAuditEvents = contract({
  method: 'GET',
  path: '/api/audit-events/export',
  summary: 'The log as a file: CSV for spreadsheets, or a line of JSON an event',
  permission: 'audit.read',
  query: auditFilter.extend({ format: z.enum(exportFormats).default('csv') }),
  output: { 200: null },
  download: ['text/csv', 'application/jsonl'],
  errors: [429],
});
