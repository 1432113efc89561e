import { invalid } from '#domain/errors.ts';

const hosts = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'login.chinacloudapi.cn',
  'login.microsoft.com',
  'login.windows.net',
  'sts.windows.net',
]);
/** The last one is the tenant of all personal Microsoft accounts. */
const shared = new Set([
  'common',
  'organizations',
  'consumers',
  '9188040d-6c67-4c5b-b112-36a304b66dad',
]);
const tenantId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the tenant in a Microsoft Entra issuer, in lower case; null for other issuers. */
function tenantOfIssuer(issuer: string): string | null {
  if (!URL.canParse(issuer)) return null;
  const { hostname, pathname } = new URL(issuer);
  return hosts.has(hostname) ? (pathname.split('/')[1] ?? '').toLowerCase() : null;
}

/**
 * Refuses issuers that stand for many tenants, because each tenant can put any address into the email claim.
 * @throws DomainError 400 `shared_issuer`
 */
export function refuseSharedIssuer(issuer: string): void {
  const tenant = tenantOfIssuer(issuer);
  const isTemplate = /[{}]|%7b/i.test(issuer);
  if (!isTemplate && (tenant === null || (tenant !== '' && !shared.has(tenant)))) return;
  throw invalid(
    'shared_issuer',
    'This issuer is for every Microsoft tenant. Use the URL with your tenant’s ID: https://login.microsoftonline.com/TENANT-ID/v2.0',
    'issuer',
  );
}

/** Returns whether a token's tenant is the one in its issuer; true for issuers other than Entra. */
export function isOfTenant(issuer: string, tid: unknown): boolean {
  const tenant = tenantOfIssuer(issuer);
  if (tenant === null) return true;
  return tenantId.test(tenant) && typeof tid === 'string' && tid.toLowerCase() === tenant;
}

/**
 * Returns whether Entra denies that the owner of the address's domain is verified (`xms_edov`, an optional
 * claim that is a boolean, a number, or a string).
 */
export const deniesDomainOwner = (claims: Record<string, unknown>): boolean =>
  'xms_edov' in claims && !['true', '1'].includes(String(claims.xms_edov).toLowerCase());
