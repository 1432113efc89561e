import type { Connection, Statement } from '#server/platform/database.ts';

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
// Every column that refers to an account, in every table: a new one joins by itself.
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

/** What an organization knows of a member, as its team page shows it. */
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
const organizationMails: Statement = {
  name: 'person_mails_of_organization',
  text: `select jsonb_build_object('subject', m.subject, 'created_at', m.created_at,
      'sent_at', m.sent_at) as row
    from mails m join accounts a on a.email = m.recipient
    where a.id = $1 and m.org_id = $2 order by m.id`,
};
const invitations: Statement = {
  name: 'person_invitations',
  text: `select to_jsonb(i) - array['token_hash', 'mailed_token_hash'] as row from invitations i
    where org_id = $2 and email = (select email from accounts where id = $1) order by id`,
};
const chats: Statement = {
  name: 'person_chats',
  text: `select to_jsonb(c) - 'client_id' as row from chat_messages c
    where org_id = $2 and participant_id in
      (select id from attendances where org_id = $2 and account_id = $1) order by id`,
};

type Section = [name: string, rows: unknown[]];

/**
 * What is held on an account, for its owner: whole rows where they are the person's own (`account_id`),
 * and of what they did in the organization the ids and times. Secrets, and hashes of them, are left out.
 * @param orgId the organization that the connection is walled to; null reads no organization's rows
 */
export async function sectionsOfAccount(
  { run }: Pick<Connection, 'run'>,
  id: string,
  orgId: string | null,
): Promise<Section[]> {
  return [
    ['account', await rowsOf(run, account, [id])],
    ...(await referencesTo(run, id, orgId, 'everything')),
    ...(orgId === null ? [] : await sectionsInOrganization(run, id, orgId)),
  ];
}

/** The mails about an account, which belong to no organization: read them outside of all. */
export async function mailsOfAccount(
  { run }: Pick<Connection, 'run'>,
  id: string,
): Promise<Section> {
  return ['mails', await rowsOf(run, mails, [id])];
}

/**
 * What the organization holds on a member, for its admins: none of what belongs to the account, such as
 * sessions, devices and mails from elsewhere.
 */
export async function sectionsOfMember(
  { run }: Pick<Connection, 'run'>,
  id: string,
  orgId: string,
): Promise<Section[]> {
  return [
    ['account', await rowsOf(run, member, [id])],
    ...(await referencesTo(run, id, orgId, 'organization')),
    ['mails', await rowsOf(run, organizationMails, [id, orgId])],
    ...(await sectionsInOrganization(run, id, orgId)),
  ];
}

const rowsOf = async (run: Connection['run'], statement: Statement, values: unknown[]) =>
  (await run<{ row: unknown }>(statement, values)).map(({ row }) => row);

async function referencesTo(
  run: Connection['run'],
  id: string,
  orgId: string | null,
  which: 'everything' | 'organization',
): Promise<Section[]> {
  const sections: Section[] = [];
  for (const reference of await run<Reference>(references, [])) {
    const { table, column, isTenants, hidden, contents } = reference;
    // Without a tenant of its own, a connection may still be walled to the one that used it before.
    if (isTenants ? orgId === null : which === 'organization') continue;
    const left = column === 'account_id' ? hidden : contents;
    const statement = {
      name: `person_${table}_${column}_${isTenants}`,
      text: `select to_jsonb(t) - $2::text[] as row from ${table} t
        where ${column} = $1${isTenants ? ' and org_id = $3' : ''}`,
    };
    const rows = await rowsOf(run, statement, [id, left, ...(isTenants ? [orgId] : [])]);
    if (rows.length > 0) sections.push([`${table}.${column}`, rows]);
  }
  return sections;
}

const sectionsInOrganization = async (
  run: Connection['run'],
  id: string,
  orgId: string,
): Promise<Section[]> => [
  ['invitations', await rowsOf(run, invitations, [id, orgId])],
  ['chat_messages', await rowsOf(run, chats, [id, orgId])],
];

const isGuest = `org_id = $1 and kind = 'guest' and lower(name) = $2`;
const ofGuest: readonly [string, Statement][] = [
  ['attendances', `select to_jsonb(t) as row from attendances t where ${isGuest}`],
  [
    'chat_messages',
    `select to_jsonb(t) - 'client_id' as row from chat_messages t where ${isGuest}
      or org_id = $1 and participant_id in (select id from attendances where ${isGuest})`,
  ],
  [
    'ratings',
    `select to_jsonb(t) as row from ratings t
      where org_id = $1 and attendance_id in (select id from attendances where ${isGuest})`,
  ],
  [
    'lobby_entries',
    `select to_jsonb(t) as row from lobby_entries t where org_id = $1 and lower(name) = $2`,
  ],
  [
    'invitations',
    `select to_jsonb(t) - array['token_hash', 'mailed_token_hash'] as row from invitations t
      where org_id = $1 and email = $2`,
  ],
].map(([name = '', text = '']) => [name, { name: `guest_${name}`, text }]);

/** What is held on somebody without an account, by the name or address that they gave. */
export async function sectionsOfGuest(
  { run }: Pick<Connection, 'run'>,
  nameOrEmail: string,
  orgId: string,
): Promise<[name: string, rows: unknown[]][]> {
  const sections: [string, unknown[]][] = [];
  for (const [name, statement] of ofGuest) {
    const values = [orgId, nameOrEmail.trim().toLowerCase()];
    const rows = await run<{ row: unknown }>(statement, values);
    if (rows.length > 0) sections.push([name, rows.map(({ row }) => row)]);
  }
  return sections;
}
