import type { Connection, Statement } from '#server/platform/database.ts';
import type { Section } from './section-pages.ts';

interface Reference {
  table: string;
  column: string;
  isTenants: boolean;
  hidden: string[];
  contents: string[];
}

const secretName = '(hash|sealed|secret|token|challenge)';
const columnsOf = (where: string) => `coalesce((select array_agg(x.attname::text)
  from pg_attribute x where x.attrelid = c.conrelid and x.attnum > 0 and not x.attisdropped
    and ${where}), '{}')`;
// Finds every column that refers to an account in every table, so that new columns are included
// automatically.
const references: Statement = {
  name: 'references_to_accounts',
  text: `select c.conrelid::regclass::text as table, a.attname::text as column,
      exists (select 1 from pg_attribute o where o.attrelid = c.conrelid
        and o.attname = 'org_id' and not o.attisdropped) as "isTenants",
      ${columnsOf(`(x.atttypid = 'bytea'::regtype or x.attname ~ '${secretName}')`)} as hidden,
      ${columnsOf(`x.atttypid not in ('uuid'::regtype, 'timestamptz'::regtype)`)} as contents
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'public.accounts'::regclass
      and c.connamespace = 'public'::regnamespace and c.conparentid = 0
    order by 1, 2`,
};

/** The organization's data about a member, as shown on its team page. */
const member: Statement = {
  name: 'person_member',
  text: `select jsonb_build_object('id', id, 'email', email, 'first_name', first_name,
      'last_name', last_name, 'profile_image_url', profile_image_url) as row
    from accounts where id = $1`,
};
const account: Statement = {
  name: 'person_account',
  text: `select to_jsonb(a) - 'password_hash' as row from accounts a where id = $1`,
};
const mails: Statement = {
  name: 'person_mails',
  text: 'select to_jsonb(m) as row from mails_of_account($1) m',
};

type Run = Pick<Connection, 'run'>;

/** Returns the account's own row, for its owner. */
export const accountRow = (at: Run, id: string) => rowsOf(at, account, id);

/** Returns the account's row as its organization may see it. */
export const memberRow = (at: Run, id: string) => rowsOf(at, member, id);

/** Returns the mails about an account. They belong to no organization, so read them outside of all. */
export const mailsOfAccount = (at: Run, id: string) => rowsOf(at, mails, id);

const rowsOf = async ({ run }: Run, statement: Statement, id: string) =>
  (await run<{ row: unknown }>(statement, [id])).map(({ row }) => row);

/**
 * Returns what is stored about an account, for its owner: whole rows that are the person's own
 * (`account_id`), and IDs and times of their actions in the organization. Secrets and their hashes are
 * excluded.
 * @param orgId the organization to which row-level security restricts the connection; null reads no
 * organization's rows
 */
export async function sectionsOfAccount(
  at: Run,
  id: string,
  orgId: string | null,
): Promise<Section[]> {
  const referring = await referencesTo(at, id, orgId, 'everything');
  return orgId === null ? referring : [...referring, ...sectionsInOrganization(id, orgId)];
}

/**
 * Returns what the organization stores about a member, for its admins. Excludes data that belongs to the
 * account, such as sessions, devices, and mails from elsewhere.
 */
export async function sectionsOfMember(at: Run, id: string, orgId: string): Promise<Section[]> {
  return [
    ...(await referencesTo(at, id, orgId, 'organization')),
    {
      name: 'mails',
      statement: 'person_mails_of_organization',
      table: 'mails',
      row: `jsonb_build_object('subject', t.subject, 'created_at', t.created_at,
        'sent_at', t.sent_at)`,
      where: 't.recipient = (select email from accounts where id = $1) and t.org_id = $2',
      values: [id, orgId],
      isShownEmpty: true,
    },
    ...sectionsInOrganization(id, orgId),
  ];
}

async function referencesTo(
  { run }: Run,
  id: string,
  orgId: string | null,
  which: 'everything' | 'organization',
): Promise<Section[]> {
  const sections: Section[] = [];
  for (const reference of await run<Reference>(references, [])) {
    const { table, column, isTenants, hidden, contents } = reference;
    // A connection without a tenant may still be restricted to the tenant that used it before.
    if (isTenants ? orgId === null : which === 'organization') continue;
    const left = column === 'account_id' ? hidden : contents;
    sections.push({
      name: `${table}.${column}`,
      statement: `person_${table}_${column}_${isTenants}`,
      table,
      row: `to_jsonb(t) - array[${left.map((name) => `'${name}'`).join(', ')}]::text[]`,
      where: `t.${column} = $1${isTenants ? ' and t.org_id = $2' : ''}`,
      values: [id, ...(isTenants ? [orgId] : [])],
      isShownEmpty: false,
    });
  }
  return sections;
}

const withoutTokens = `to_jsonb(t) - array['token_hash', 'mailed_token_hash']`;

const sectionsInOrganization = (id: string, orgId: string): Section[] => [
  {
    name: 'invitations',
    statement: 'person_invitations_of_organization',
    table: 'invitations',
    row: withoutTokens,
    where: 't.org_id = $2 and t.email = (select email from accounts where id = $1)',
    values: [id, orgId],
    isShownEmpty: true,
  },
  {
    name: 'chat_messages',
    statement: 'person_chat_messages_of_organization',
    table: 'chat_messages',
    row: `to_jsonb(t) - 'client_id'`,
    where: `t.org_id = $2 and t.participant_id in
      (select id from attendances where org_id = $2 and account_id = $1)`,
    values: [id, orgId],
    isShownEmpty: true,
  },
];

const isGuest = `t.org_id = $1 and t.kind = 'guest' and lower(t.name) = $2`;
const attended = '(select attendances_of_guest($2))';
const capturedGuest = `t.org_id = $1 and (t.call_id, t.participant_id) in
  (select a.call_id, a.id from attendances a where a.org_id = $1 and a.id in ${attended})`;
/**
 * Of a row of a table with these columns of an attendance. Without `offset 0`, PostgreSQL may read all attendances for a
 * page of rows, in place of those of the page.
 */
const ofAttendance = (columns: string) => `t.org_id = $1 and exists (select from attendances a
  where a.org_id = $1 and ${columns} and a.kind = 'guest' and lower(a.name) = $2 offset 0)`;
const captured = {
  row: 'to_jsonb(t)',
  where: capturedGuest,
  ofRow: ofAttendance('(a.call_id, a.id) = (t.call_id, t.participant_id)'),
};
const ofGuest: readonly Pick<Section, 'table' | 'row' | 'where' | 'ofRow'>[] = [
  {
    table: 'attendances',
    row: 'to_jsonb(t)',
    where: `t.org_id = $1 and t.id in ${attended}`,
    ofRow: isGuest,
  },
  {
    table: 'chat_messages',
    row: `to_jsonb(t) - 'client_id'`,
    where: 't.org_id = $1 and t.id in (select chat_messages_of_guest($2))',
    ofRow: `(${isGuest} or t.org_id = $1 and t.participant_id in ${attended})`,
  },
  {
    table: 'ratings',
    row: 'to_jsonb(t)',
    where: `t.org_id = $1 and t.attendance_id in ${attended}`,
    ofRow: ofAttendance('a.id = t.attendance_id'),
  },
  {
    table: 'lobby_entries',
    row: 'to_jsonb(t)',
    where: 't.org_id = $1 and t.participant_id in (select lobby_entries_of_guest($2))',
    ofRow: 't.org_id = $1 and lower(t.name) = $2',
  },
  { table: 'invitations', row: withoutTokens, where: 't.org_id = $1 and t.email = $2' },
  {
    table: 'rooms',
    row: `jsonb_build_object('id', t.id, 'topic', t.topic, 'customer_email', t.customer_email)`,
    where: 't.org_id = $1 and t.customer_email = $2',
  },
  {
    table: 'crm_syncs',
    row: `jsonb_build_object('id', t.id, 'call_id', t.call_id, 'customer_email', t.customer_email)`,
    where: 't.org_id = $1 and t.customer_email = $2',
  },
  {
    table: 'consents',
    row: `to_jsonb(t) - 'client_id'`,
    where: 't.org_id = $1 and t.id in (select consents_of_guest($2))',
    // The whole condition costs as much for one row as for all, and has found these keys.
    ofRow: `t.org_id = $1 and t.participant_kind = 'guest' and $2::text is not null`,
  },
  { table: 'recorded_tracks', ...captured },
  { table: 'recorded_segment_people', ...captured },
  { table: 'transcript_lines', ...captured },
];

/** Returns what is stored about a guest without an account, by the name or address that they gave (guest-key.ts). */
export const sectionsOfGuest = (key: string, orgId: string): Section[] =>
  ofGuest.map((section) => ({
    ...section,
    name: section.table,
    statement: `guest_${section.table}`,
    values: [orgId, key],
    isShownEmpty: false,
  }));
