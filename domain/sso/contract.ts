import { z } from 'zod';
import { email } from '#domain/auth/contract.ts';
import { contract } from '#domain/contract.ts';
import { accountId, ssoConnectionId, ssoDomainId, ssoFlowId } from '#domain/ids.ts';
import { requiredText } from '#domain/text.ts';

/** Roles that an identity provider may give. SUPERADMIN is never among them. */
export const ssoRoles = ['ORGADMIN', 'AGENT', 'VIEWER'] as const;
export type SsoRole = (typeof ssoRoles)[number];
export const ssoKinds = ['oidc', 'saml'] as const;

const text = (longest: number) =>
  z.string().trim().max(longest, `Please use at most ${longest} characters`);
const webAddress = (wrong: string) =>
  text(2000).refine((value) => value === '' || /^https?:\/\/[^\s/]/i.test(value), wrong);

const roleRule = z.object({
  value: requiredText('Please enter the value for this role', 300),
  role: z.enum(ssoRoles, { error: 'Please choose a role' }),
});

export const ssoDomain = z.object({
  id: ssoDomainId,
  domain: z.string(),
  /** The TXT record that verifies the claim. */
  recordName: z.string(),
  recordText: z.string(),
  verifiedAt: z.iso.datetime().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  /** When the verification ends, because the record is missing; null while it is there. */
  endsAt: z.iso.datetime().nullable(),
  /** The connection for its addresses. Without one, no address of the domain signs in by single sign-on. */
  connectionId: ssoConnectionId.nullable(),
});
export type SsoDomain = z.infer<typeof ssoDomain>;

export const ssoConnection = z.object({
  id: ssoConnectionId,
  kind: z.enum(ssoKinds),
  name: z.string(),
  enabled: z.boolean(),
  /** Whether all fields that a sign-in needs are set. */
  complete: z.boolean(),
  allowIdpInitiated: z.boolean(),
  defaultRole: z.enum(ssoRoles),
  roleClaim: z.string().nullable(),
  roleRules: z.array(z.object({ value: z.string(), role: z.enum(ssoRoles) })),
  issuer: z.string().nullable(),
  clientId: z.string().nullable(),
  hasSecret: z.boolean(),
  entityId: z.string().nullable(),
  ssoUrl: z.string().nullable(),
  certificates: z.array(
    z.object({ subject: z.string(), fingerprint: z.string(), validUntil: z.iso.datetime() }),
  ),
  /**
   * Values for the identity provider's settings. For OIDC `answerUrl` is the redirect URI, for SAML
   * the ACS URL.
   */
  answerUrl: z.string(),
  ourEntityId: z.string().nullable(),
});
export type SsoConnection = z.infer<typeof ssoConnection>;

export const ssoPolicy = z.object({
  required: z.boolean(),
  /** Admins who may still sign in by password. */
  breakGlass: z.array(accountId),
});
export type SsoPolicy = z.infer<typeof ssoPolicy>;

/** One check of an identity provider's answer. */
export const ssoChecks = [
  'answer',
  'token',
  'document',
  'signature',
  'issuer',
  'status',
  'destination',
  'recipient',
  'request',
  'audience',
  'time',
  'replay',
  'email',
  'domain',
  'account',
] as const;
export type SsoCheck = (typeof ssoChecks)[number];

export const ssoTest = z.object({
  id: ssoFlowId,
  connectionName: z.string(),
  /** Null until the identity provider has answered. */
  result: z
    .object({
      checks: z.array(
        z.object({ name: z.enum(ssoChecks), passed: z.boolean(), detail: z.string().nullable() }),
      ),
      claims: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
      email: z.string().nullable(),
      role: z.enum(ssoRoles).nullable(),
    })
    .nullable(),
});
export type SsoTest = z.infer<typeof ssoTest>;
export type SsoTestResult = NonNullable<SsoTest['result']>;

export const ssoOverview = z.object({
  connections: z.array(ssoConnection),
  domains: z.array(ssoDomain),
  policy: ssoPolicy,
  /** Members without an address in a verified domain whose connection is on: required single sign-on does not bind them. */
  unboundMembers: z.int().min(0),
});
export type SsoOverview = z.infer<typeof ssoOverview>;

const wrongDomain = 'Please enter a domain like example.com';
export const claimDomainBody = z.object({
  domain: z
    .string({ error: wrongDomain })
    .trim()
    .toLowerCase()
    .max(253, wrongDomain)
    .regex(/^([a-z0-9](-*[a-z0-9])*\.)+[a-z](-*[a-z0-9])+$/, wrongDomain),
});

export const createConnectionBody = z.object({
  kind: z.enum(ssoKinds, { error: 'Please choose OpenID Connect or SAML' }),
  name: requiredText('Please name the connection', 100),
});

/**
 * An empty client secret keeps the stored one. Metadata, given or fetched, takes precedence over
 * the three single fields.
 */
export const updateConnectionBody = z.object({
  name: createConnectionBody.shape.name,
  enabled: z.boolean(),
  allowIdpInitiated: z.boolean(),
  defaultRole: roleRule.shape.role,
  roleClaim: text(200),
  roleRules: z.array(roleRule).max(100, 'Please use at most 100 rules'),
  issuer: webAddress('Please enter a URL that starts with https://'),
  clientId: text(300),
  clientSecret: text(1000),
  metadata: text(500_000),
  metadataUrl: webAddress('Please enter a URL that starts with https://'),
  entityId: text(1000),
  ssoUrl: webAddress('Please enter a URL that starts with https://'),
  certificate: text(20_000),
});
export type SsoConnectionSettings = z.infer<typeof updateConnectionBody>;

const byConnection = z.object({ id: ssoConnectionId });
const byDomain = z.object({ id: ssoDomainId });

export const readSso = contract({
  method: 'GET',
  path: '/api/sso',
  summary: 'Connections, domains and rules of single sign-on',
  permission: 'sso.manage',
  output: { 200: ssoOverview },
});

export const claimDomain = contract({
  method: 'POST',
  path: '/api/sso/domains',
  summary: 'Claim an email domain, to be proved by a TXT record',
  permission: 'sso.manage',
  needsVerifiedAddress: true,
  body: claimDomainBody,
  output: { 201: ssoDomain },
  errors: [400, 409],
});

export const verifyDomain = contract({
  method: 'POST',
  path: '/api/sso/domains/:id/verify',
  summary: 'Look for the TXT record of a claimed domain now',
  permission: 'sso.manage',
  params: byDomain,
  output: { 200: ssoDomain },
  errors: [404, 409, 429],
});

export const assignDomain = contract({
  method: 'PUT',
  path: '/api/sso/domains/:id',
  summary: 'Choose the connection that a domain’s addresses sign in by',
  permission: 'sso.manage',
  params: byDomain,
  body: z.object({ connectionId: ssoConnectionId.nullable() }),
  output: { 200: ssoDomain },
  errors: [400, 404, 409],
});

export const removeDomain = contract({
  method: 'DELETE',
  path: '/api/sso/domains/:id',
  summary: 'Give up a domain: nobody signs in with its addresses by single sign-on any more',
  permission: 'sso.manage',
  params: byDomain,
  output: { 204: null },
  errors: [404, 409],
});

export const createConnection = contract({
  method: 'POST',
  path: '/api/sso/connections',
  summary: 'Begin a connection; its answer says what to tell the identity provider',
  permission: 'sso.manage',
  stores: true,
  needsVerifiedAddress: true,
  body: createConnectionBody,
  output: { 201: ssoConnection },
  errors: [400, 409],
});

export const updateConnection = contract({
  method: 'PUT',
  path: '/api/sso/connections/:id',
  summary: 'Set up a connection; addresses are read before they are stored',
  permission: 'sso.manage',
  params: byConnection,
  body: updateConnectionBody,
  // A federation's metadata of 500,000 characters, whose quotes and line breaks are escaped.
  bodyLimit: 700_000,
  output: { 200: ssoConnection },
  errors: [400, 402, 404, 409, 429],
});

export const removeConnection = contract({
  method: 'DELETE',
  path: '/api/sso/connections/:id',
  summary: 'Remove a connection; the accounts that it made stay',
  permission: 'sso.manage',
  params: byConnection,
  output: { 204: null },
  errors: [404, 409],
});

export const testConnection = contract({
  method: 'POST',
  path: '/api/sso/connections/:id/test',
  summary: 'Begin a sign-in that signs nobody in and shows what came back',
  permission: 'sso.manage',
  params: byConnection,
  output: { 200: z.object({ id: ssoFlowId, url: z.string() }) },
  errors: [400, 404, 409, 429],
});

export const readTest = contract({
  method: 'GET',
  path: '/api/sso/tests/:id',
  summary: 'What came back from a test, for an hour',
  permission: 'sso.manage',
  params: z.object({ id: ssoFlowId }),
  output: { 200: ssoTest },
  errors: [404],
});

export const updatePolicy = contract({
  method: 'PUT',
  path: '/api/sso/policy',
  summary: 'Require single sign-on, and say which admins may still use their password',
  permission: 'sso.manage',
  body: z.object({ required: z.boolean(), breakGlass: z.array(accountId).max(50) }),
  output: { 200: ssoPolicy },
  errors: [400, 402, 404, 409],
});

export const startSsoBody = z.object({
  email,
  next: z.string().max(2000).optional(),
});

export const startSso = contract({
  method: 'POST',
  path: '/api/sso/start',
  rateLimit: { name: 'sso_start', most: 30, windowSeconds: 60 },
  summary: 'Where to sign in with the identity provider of this address’s domain',
  permission: 'public',
  body: startSsoBody,
  output: { 200: z.object({ url: z.string() }) },
  errors: [400, 404, 409, 429],
});
