/** Where a sealed secret is kept: bound to its row's `key`, under the key of its purpose. */
export interface SealedColumn {
  table: string;
  key: string;
  column: string;
  purpose: string;
}

/**
 * Every column that holds what server/platform/seal.ts sealed, for `npm run admin -- rotate`. A test
 * compares them with the columns that the database has.
 */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'totp_factors', key: 'account_id', column: 'sealed_secret', purpose: 'totp' },
  {
    table: 'sso_connections',
    key: 'id',
    column: 'client_secret_sealed',
    purpose: 'sso-client-secret',
  },
];
