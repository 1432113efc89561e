import type { AccountId, OrgId, SsoConnectionId, SsoDomainId, SsoFlowId } from '#domain/ids.ts';
import type { SsoRole, SsoTestResult, ssoKinds } from '#domain/sso/contract.ts';
import {
  boolean,
  bytea,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from '#server/platform/drizzle.ts';
import type { Asserted } from './asserted.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const orgId = () => uuid('org_id').$type<OrgId>().notNull();
const connectionId = () => uuid('connection_id').$type<SsoConnectionId>().notNull();

export const ssoDomains = pgTable('sso_domains', {
  id: uuid().$type<SsoDomainId>().primaryKey(),
  orgId: orgId(),
  domain: text().notNull(),
  token: text().notNull(),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: at('created_at').notNull(),
  checkedAt: at('checked_at'),
  verifiedAt: at('verified_at'),
  missingSince: at('missing_since'),
  connectionId: uuid('connection_id').$type<SsoConnectionId>(),
});

export const ssoConnections = pgTable('sso_connections', {
  id: uuid().$type<SsoConnectionId>().primaryKey(),
  orgId: orgId(),
  kind: text().$type<(typeof ssoKinds)[number]>().notNull(),
  name: text().notNull(),
  enabledAt: at('enabled_at'),
  enabledBy: uuid('enabled_by').$type<AccountId>(),
  allowIdpInitiated: boolean('allow_idp_initiated').notNull().default(false),
  defaultRole: text('default_role').$type<SsoRole>().notNull().default('AGENT'),
  roleClaim: text('role_claim'),
  roleRules: jsonb('role_rules').$type<{ value: string; role: SsoRole }[]>().notNull().default([]),
  issuer: text(),
  clientId: text('client_id'),
  clientSecretSealed: text('client_secret_sealed'),
  entityId: text('entity_id'),
  ssoUrl: text('sso_url'),
  certificates: text().array().notNull().default([]),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: at('created_at').notNull(),
});

export const ssoIdentities = pgTable(
  'sso_identities',
  {
    orgId: orgId(),
    connectionId: connectionId(),
    subject: text().notNull(),
    accountId: uuid('account_id').$type<AccountId>().notNull(),
    createdAt: at('created_at').notNull(),
    lastUsedAt: at('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.subject] })],
);

export const ssoFlows = pgTable('sso_flows', {
  id: uuid().$type<SsoFlowId>().primaryKey(),
  orgId: orgId(),
  connectionId: connectionId(),
  purpose: text({ enum: ['sign-in', 'test'] }).notNull(),
  browserHash: bytea('browser_hash').notNull(),
  nonce: text(),
  codeVerifier: text('code_verifier'),
  next: text(),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: at('created_at').notNull(),
  expiresAt: at('expires_at').notNull(),
  asserted: jsonb().$type<Asserted>(),
  answeredAt: at('answered_at'),
  finishedAt: at('finished_at'),
  result: jsonb().$type<SsoTestResult>(),
});

export const ssoAssertions = pgTable(
  'sso_assertions',
  {
    orgId: orgId(),
    connectionId: connectionId(),
    assertionId: text('assertion_id').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionId, table.assertionId] })],
);

export const ssoPolicies = pgTable('sso_policies', {
  orgId: uuid('org_id').$type<OrgId>().primaryKey(),
  requiredAt: at('required_at'),
  requiredBy: uuid('required_by').$type<AccountId>(),
});

export const ssoBreakGlass = pgTable(
  'sso_break_glass',
  {
    orgId: orgId(),
    accountId: uuid('account_id').$type<AccountId>().notNull(),
    createdBy: uuid('created_by').$type<AccountId>(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.accountId] })],
);
