import type { SignInMethod } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import {
  boolean,
  bytea,
  pgTable,
  primaryKey,
  sql,
  text,
  timestamp,
  uuid,
} from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

/** A person's sign-in. It belongs to no organization; a membership connects it to one. */
export const accounts = pgTable('accounts', {
  id: uuid().$type<AccountId>().primaryKey(),
  email: text().notNull(),
  passwordHash: text('password_hash'),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  profileImageUrl: text('profile_image_url'),
  language: text().$type<Language>(),
  emailVerifiedAt: at('email_verified_at'),
  /**
   * Set if the verification happened outside of the account's sessions: other people may have set up what
   * existed before.
   */
  verifiedAsOwnerAt: at('verified_as_owner_at'),
  createdAt: at('created_at').notNull(),
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  tokenHash: bytea('token_hash').notNull(),
  accountId: uuid('account_id').$type<AccountId>().notNull(),
  createdAt: at('created_at').notNull(),
  lastSeenAt: at('last_seen_at').notNull(),
  expiresAt: at('expires_at').notNull(),
  address: text(),
  userAgent: text('user_agent'),
  method: text().$type<SignInMethod>().notNull(),
  /** The organization whose identity provider authenticated the session; null for other sign-in methods. */
  ssoOrgId: uuid('sso_org_id').$type<OrgId>(),
  /**
   * The organization that required single sign-on from this session. The session continues there without it.
   */
  keptWithoutSsoIn: uuid('kept_without_sso_in').$type<OrgId>(),
  twoFactors: boolean('two_factors').notNull(),
  confirmedAt: at('confirmed_at').notNull(),
  /** When this session last verified a second-factor code, apart from signing in. */
  factorShownAt: at('factor_shown_at'),
  deviceId: uuid('device_id'),
});

export const memberships = pgTable(
  'memberships',
  {
    orgId: uuid('org_id').$type<OrgId>().notNull(),
    accountId: uuid('account_id').$type<AccountId>().notNull(),
    role: text().$type<Role>().notNull(),
    /** Joined with an unverified address, by an invitation link that was known beyond the mailbox. */
    cameByCopiedLink: boolean('came_by_copied_link').notNull().default(false),
    createdAt: at('created_at').notNull(),
    /** Set by the database (migration 0091). */
    roleChangedAt: at('role_changed_at').notNull().default(sql`'epoch'`),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.accountId] })],
);
