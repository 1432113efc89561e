/** The location of a sealed secret, which is bound to its row's `key` and sealed for a purpose. */
export interface SealedColumn {
  table: string;
  key: string;
  column: string;
  purpose: string;
}

/**
 * Every column with values that server/platform/seal.ts sealed, for `npm run admin -- rotate`. A test
 * compares the list with the columns of the database.
 */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'totp_factors', key: 'account_id', column: 'sealed_secret', purpose: 'totp' },
  {
    table: 'sso_connections',
    key: 'id',
    column: 'client_secret_sealed',
    purpose: 'sso-client-secret',
  },
  { table: 'api_answers', key: 'id', column: 'answer_sealed', purpose: 'api-answer' },
  { table: 'webhook_endpoints', key: 'id', column: 'secret_sealed', purpose: 'webhook' },
  { table: 'webhook_endpoints', key: 'id', column: 'previous_secret_sealed', purpose: 'webhook' },
];
