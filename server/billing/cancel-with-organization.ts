import type { Tenant } from '#server/platform/access.ts';
import type { Services } from '#server/services.ts';
import { readStored } from './subscription-store.ts';

/**
 * Ends the subscription of an organization that is deleted, and deletes the customer at the card
 * provider. Where that fails, the organization stays until the next attempt, so that nobody pays
 * for what is gone.
 */
export async function cancelWithOrganization(
  { billing, log }: Pick<Services, 'billing' | 'log'>,
  tenant: Tenant,
): Promise<void> {
  const stored = await tenant.connection(readStored);
  if (!stored?.customerId) return;
  if (billing) return billing.deleteCustomer(stored.customerId);
  const { orgId } = tenant;
  const { customerId } = stored;
  log.error(
    { orgId, customerId },
    'no card provider is set up: cancel this customer there by hand',
  );
}
