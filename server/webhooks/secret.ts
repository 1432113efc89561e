import { randomBytes } from 'node:crypto';
import type { WebhookId } from '#domain/ids.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import type { Secrets } from '#server/platform/secrets.ts';

/** Also in `sealedColumns` of server/operator/sealed-columns.ts. */
const purpose = 'webhook';
const bytes = 32;

/** Returns a secret in the form of Standard Webhooks. */
export const newSecret = () => `whsec_${randomBytes(bytes).toString('base64')}`;

export const sealSecret = (secrets: Secrets, id: WebhookId, secret: string) =>
  seal(secrets, purpose, id, secret);

export const unsealSecret = (secrets: Secrets, id: WebhookId, sealed: string) =>
  unseal(secrets, purpose, id, sealed);
