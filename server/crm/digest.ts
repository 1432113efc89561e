import { createHash } from 'node:crypto';
import type { CrmFields } from '#server/providers/crm/port.ts';

/** Tells whether the vendor has these values already. */
export const digestOf = (fields: CrmFields): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
