import type { Connection, Statement } from '#server/platform/database.ts';
import { newestMigration } from '#server/platform/migrate.ts';
import type { Finding } from './finding.ts';

const version: Statement = {
  name: 'doctor_version',
  text: `select current_setting('server_version_num')::int as version, now() as now`,
};
const migrated: Statement = {
  name: 'doctor_migrated',
  text: 'select max(created_at)::text as at from drizzle.__drizzle_migrations',
};
const unwalled: Statement = {
  name: 'doctor_unwalled',
  text: `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and (a.attname = 'org_id' or c.relname = 'organizations') and not a.attisdropped
      and not (c.relrowsecurity and c.relforcerowsecurity)
    order by 1`,
};
// The application's roles are the non-owners that may insert rooms.
const roles: Statement = {
  name: 'doctor_roles',
  text: `select distinct r.rolname::text as name,
      r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication
        or exists (select 1 from pg_class c where c.relowner = r.oid) as "tooStrong",
      has_table_privilege(r.oid, 'audit_events', 'update, delete, truncate') as "mayRewrite"
    from information_schema.role_table_grants g join pg_roles r on r.rolname = g.grantee
    where g.table_schema = 'public' and g.table_name = 'rooms' and g.privilege_type = 'INSERT'
      and r.oid <> (select relowner from pg_class where oid = 'public.rooms'::regclass)`,
};

const mostSkewMs = 5000;

/**
 * Checks with the owner's connection: reachable, current migrations, row-level security, clock, and the
 * privileges of the application's role.
 */
export async function checkDatabase({ run }: Pick<Connection, 'run'>): Promise<Finding[]> {
  const [server] = await run<{ version: number; now: Date }>(version, []);
  const [newest] = await run<{ at: string | null }>(migrated, []);
  const open = await run<{ name: string }>(unwalled, []);
  const found = await run<{ name: string; tooStrong: boolean; mayRewrite: boolean }>(roles, []);
  const major = Math.floor((server?.version ?? 0) / 10_000);
  return [
    { what: 'Database', state: 'ok', text: `PostgreSQL ${major}, reachable` },
    ofMigrations(Number(newest?.at ?? 0)),
    ofWall(open.map(({ name }) => name)),
    ...(found.length > 0 ? found.map(ofRole) : [noRole]),
    ofClock((server?.now ?? new Date()).getTime() - Date.now()),
  ];
}

function ofMigrations(at: number): Finding {
  const what = 'Migrations';
  if (at === newestMigration) return { what, state: 'ok', text: 'the database is of this version' };
  const isOlder = at < newestMigration;
  const text = `the database is ${isOlder ? 'older' : 'newer'} than this version`;
  const todo = isOlder ? 'Start Rapport: it migrates.' : 'Start the newer version of Rapport.';
  return { what, state: isOlder ? 'warning' : 'failed', text, todo };
}

function ofWall(open: string[]): Finding {
  const what = 'Tenant wall';
  if (open.length === 0)
    return { what, state: 'ok', text: 'row-level security is forced on every tenant table' };
  const text = `row-level security is off on ${open.join(', ')}`;
  const todo = 'Somebody changed the database: ALTER TABLE … FORCE ROW LEVEL SECURITY.';
  return { what, state: 'failed', text, todo };
}

function ofRole(role: { name: string; tooStrong: boolean; mayRewrite: boolean }): Finding {
  const what = `Role ${role.name}`;
  if (!role.tooStrong && !role.mayRewrite)
    return { what, state: 'ok', text: 'owns nothing, and can only add to the audit log' };
  const text = role.tooStrong ? 'has more rights than it needs' : 'may change the audit log';
  const todo = `Start Rapport, which takes them away, and look who gave them to ${role.name}.`;
  return { what, state: 'failed', text, todo };
}

const noRole: Finding = {
  what: 'Role',
  state: 'failed',
  text: 'the application has no role of its own in this database',
  todo: 'Start Rapport once: it makes it.',
};

function ofClock(skewMs: number): Finding {
  const what = 'Clock';
  const text = `${Math.round(Math.abs(skewMs) / 1000)} s apart from the database's`;
  if (Math.abs(skewMs) <= mostSkewMs) return { what, state: 'ok', text };
  const todo = 'Run an NTP client on both machines: links and codes depend on the time.';
  return { what, state: 'failed', text, todo };
}
