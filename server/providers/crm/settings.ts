import { z } from 'zod';
import { isSafeAddress } from '#server/providers/safe-address.ts';
import { blankIsUnset, when } from '#server/providers/setting.ts';

const addressOr = (fallback: string) =>
  when(isSafeAddress, `give an address like ${fallback}`).transform((value) =>
    (value ?? fallback).replace(/\/+$/, ''),
  );

/** The settings for HubSpot and Salesforce. */
export const crmSettings = {
  HUBSPOT_CLIENT_ID: blankIsUnset.describe(
    'Client id of your HubSpot app. Unset: organizations cannot connect to HubSpot.',
  ),
  HUBSPOT_CLIENT_SECRET: blankIsUnset.describe('Secret that belongs to HUBSPOT_CLIENT_ID.'),
  HUBSPOT_API_BASE: addressOr('https://api.hubapi.com').describe(
    'HubSpot’s API. Unset: https://api.hubapi.com.',
  ),
  HUBSPOT_APP_URL: addressOr('https://app.hubspot.com').describe(
    'Where people allow the access at HubSpot. Unset: https://app.hubspot.com.',
  ),
  SALESFORCE_CLIENT_ID: blankIsUnset.describe(
    'Client id of your Salesforce app (its consumer ID). Unset: organizations cannot connect to Salesforce.',
  ),
  SALESFORCE_CLIENT_SECRET: blankIsUnset.describe('Secret that belongs to SALESFORCE_CLIENT_ID.'),
  SALESFORCE_LOGIN_URL: addressOr('https://login.salesforce.com').describe(
    'Where people sign in to Salesforce; https://test.salesforce.com for sandboxes. Unset: https://login.salesforce.com.',
  ),
};
const schema = z.object(crmSettings);
export type CrmSettings = z.infer<typeof schema>;

/** Returns an error message if an id or a secret is missing; null otherwise. */
export function missingOfCrm(given: CrmSettings): string | null {
  for (const vendor of ['HUBSPOT', 'SALESFORCE'] as const) {
    const [id, secret] = [`${vendor}_CLIENT_ID`, `${vendor}_CLIENT_SECRET`] as const;
    if (Boolean(given[id]) !== Boolean(given[secret]))
      return `${id} and ${secret}: set both, or neither.`;
  }
  return null;
}
