import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { pageQuery } from '#domain/paging.ts';

/** Spec section 3. `userId` is absent where no account acted: a guest, or the system. */
export const auditEvent = z.object({
  id: z.uuid(),
  action: z.string(),
  entity: z.string(),
  entityId: z.uuid().nullable(),
  userId: z.string().optional(),
  /** Who it was, for people: a name, 'Guest' or 'System'. */
  actor: z.object({ kind: z.enum(['user', 'guest', 'token', 'system']), name: z.string() }),
  createdAt: z.iso.datetime(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type AuditEvent = z.infer<typeof auditEvent>;

export const listAuditEvents = contract({
  method: 'GET',
  path: '/api/audit-events',
  summary: 'What happened in your organisation, newest first',
  permission: 'audit.read',
  query: pageQuery,
  output: { 200: z.array(auditEvent) },
});
