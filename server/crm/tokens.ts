import { seal, unseal } from '#server/platform/seal.ts';
import type { Secrets } from '#server/platform/secrets.ts';

/** Also in `sealedColumns` of server/operator/sealed-columns.ts. */
const purpose = 'crm';

/** @param id of the row that stores it */
export const sealToken = (secrets: Secrets, id: string, token: string) =>
  seal(secrets, purpose, id, token);

export const unsealToken = (secrets: Secrets, id: string, sealed: string) =>
  unseal(secrets, purpose, id, sealed);
