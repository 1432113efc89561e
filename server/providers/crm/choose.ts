import type { CrmVendor } from '#domain/crm/mapping.ts';
import { hubspot } from './hubspot.ts';
import type { Crm, CrmFetch } from './port.ts';
import { salesforce } from './salesforce.ts';
import type { CrmSettings } from './settings.ts';

/** Returns a CRM; null if it is not configured. */
export function chooseCrm(config: CrmSettings, fetch: CrmFetch, vendor: CrmVendor): Crm | null {
  if (vendor === 'hubspot') {
    const { HUBSPOT_CLIENT_ID: id, HUBSPOT_CLIENT_SECRET: secret } = config;
    if (!id || !secret) return null;
    const { HUBSPOT_API_BASE: apiBase, HUBSPOT_APP_URL: appUrl } = config;
    return hubspot({ id, secret, apiBase, appUrl }, fetch);
  }
  const { SALESFORCE_CLIENT_ID: id, SALESFORCE_CLIENT_SECRET: secret } = config;
  if (!id || !secret) return null;
  return salesforce({ id, secret, loginUrl: config.SALESFORCE_LOGIN_URL }, fetch);
}
