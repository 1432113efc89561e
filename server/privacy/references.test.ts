import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';

/** A few rows of each organization, one of each person, or those of the last minutes. */
const short = [
  ...['ai_settings', 'api_tokens', 'calendar_feeds', 'capture_settings', 'crm_connections'],
  ...[
    'embedding_origins',
    'first_steps',
    'organization_deletions',
    'recap_opt_outs',
    'recap_settings',
  ],
  ...['retention_rules', 'sample_sets', 'scim_groups', 'scim_settings', 'scim_tokens'],
  ...[
    'scim_users',
    'sign_in_policies',
    'sso_break_glass',
    'sso_connections',
    'sso_domains',
    'sso_flows',
  ],
  ...['sso_policies', 'webhook_endpoints'],
];

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('R23-B4: deleting an account finds what refers to it by indexes, and reads no rows of others', async () => {
  const { rows } = await app.owner.query<{ column: string }>(
    `select c.conrelid::regclass || '.' || a.attname as "column"
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.conparentid = 0
      and c.conrelid::regclass::text <> all ($1)
      and not exists (select from pg_index i
        where i.indrelid = c.conrelid and i.indisvalid and i.indkey[0] = c.conkey[1])
    order by 1`,
    [short],
  );
  expect(rows.map(({ column }) => column)).toEqual([]);
});
