import type { AccountId, OrgId } from '#domain/ids.ts';
import {
  bigint,
  bytea,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const totpFactors = pgTable('totp_factors', {
  accountId: uuid('account_id').$type<AccountId>().primaryKey(),
  sealedSecret: text('sealed_secret').notNull(),
  createdAt: at('created_at').notNull(),
  confirmedAt: at('confirmed_at'),
  lastStep: bigint('last_step', { mode: 'number' }),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    accountId: uuid('account_id').$type<AccountId>().notNull(),
    codeHash: bytea('code_hash').notNull(),
    createdAt: at('created_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);

export const signInPolicies = pgTable('sign_in_policies', {
  orgId: uuid('org_id').$type<OrgId>().primaryKey(),
  twoFactorRequiredAt: at('two_factor_required_at'),
  twoFactorRequiredBy: uuid('two_factor_required_by').$type<AccountId>(),
});
