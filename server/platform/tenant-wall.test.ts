import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Role, roleMay, roles } from '#domain/auth/permissions.ts';
import { orgId } from '#domain/ids.ts';
import { allContracts, ofTenants } from '#server/testing/contracts.ts';
import { unusedCrm } from '#server/testing/crm-things.ts';
import { fakeBilling } from '#server/testing/fake-billing.ts';
import { fresh, furnish, usesUp } from '#server/testing/furnish.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { namesThings, requestOf, type Things, unknownThings } from '#server/testing/requests.ts';
import { newMember, newOrganization, type Reply, Visitor } from '#server/testing/visitor.ts';

const contracts = await allContracts();
const tenantContracts = ofTenants(contracts);
const named = tenantContracts.map((contract) => ({
  name: `${contract.method} ${contract.path}`,
  contract,
}));

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: typeof ada;
let adas: Things;
let bens: Things;

beforeAll(async () => {
  app = await openTestApp(unusedCrm, { billing: fakeBilling() });
  ada = await newOrganization(app);
  ben = await newOrganization(app);
  await app.owner.query("update organizations set plan = 'enterprise'");
  adas = await furnish(app, ada);
  bens = await furnish(app, ben);
});
afterAll(() => app.close());

const send = (visitor: Visitor, contract: (typeof contracts)[number], things: Things) => {
  const { method, url, body } = requestOf(contract, things);
  return visitor.send(method, url, body);
};

type Member = Awaited<ReturnType<typeof newMember>>;
const members = new Map<Role, Member>();

/**
 * Returns a member with this role: the one of the previous test, if that test left the account
 * unchanged.
 */
async function memberWith(role: Role): Promise<Member> {
  const known = members.get(role);
  const user = known && (await known.send('GET', '/api/user')).body;
  if (known && hasRole(user, { role, orgId: ada.user.orgId })) return known;
  const made = await newMember(app, ada, role);
  members.set(role, made);
  return made;
}

const hasRole = (user: unknown, { role, orgId }: Pick<Member['user'], 'role' | 'orgId'>) =>
  typeof user === 'object' && user !== null && 'role' in user && 'orgId' in user
    ? user.role === role && user.orgId === orgId
    : false;

/** Requests that no sample makes succeed: a CRM’s code and state are of one flow (server/crm/crm.test.ts). */
const refused: Record<string, object> = {
  'POST /api/crm-connections': { 400: null },
  // The operator of the tests offers no models (server/speech-models/speech-models.test.ts).
  'PUT /api/speech-models/:name': { 404: null },
  'DELETE /api/speech-models/:name': { 404: null },
};

/** The parts of an answer that an attacker could compare. */
const essence = ({ status, body, headers }: Reply) => {
  const { 'x-request-id': _, date: __, ...rest } = headers;
  return { status, body, headers: rest };
};

/** Returns all stored rows of an organization, as text. */
async function stored(orgId: string): Promise<string> {
  const found = [];
  for (const table of await tablesOfTenants()) {
    const { rows } = await app.owner.query(
      `select * from ${table} t where org_id = $1 order by t::text`,
      [orgId],
    );
    found.push(rows);
  }
  return JSON.stringify(found);
}

const tablesOfTenants = async () =>
  (
    await app.owner.query<{ name: string }>(
      `select quote_ident(c.relname) as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and not c.relispartition and a.attname = 'org_id' and not a.attisdropped
        order by 1`,
    )
  ).rows.map((row) => row.name);

const anyName = (route: string) => route.replaceAll(/:[^/]+/g, ':');

/** Returns each method with its path, from Fastify's tree of routes, whose lines continue those above them. */
function routesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    above.splice(indent.length / 4, Number.POSITIVE_INFINITY, part);
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => `${method} ${above.join('')}`);
  });
}

test('every endpoint under /api is declared by a contract, and every contract is served', () => {
  const declared = contracts.map(({ method, path }) => `${method} ${path}`).sort();
  const described = app.http.swagger() as { paths?: Record<string, object> };
  const served = Object.entries(described.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  expect(served.sort()).toEqual(declared);
  const undeclared = routesOf(app.http.printRoutes({ commonPrefix: false })).filter(
    (route) => route.includes(' /api/') && !declared.some((one) => anyName(one) === anyName(route)),
  );
  // Webhooks of providers exist only where the provider is used, as that of payments here. Parts of recordings are no JSON.
  expect(undeclared.sort()).toEqual([
    'GET /api/login',
    'GET /api/openapi.json',
    'POST /api/webhooks/stripe',
    'PUT /api/recordings/segments/:id/parts/:number',
    'PUT /api/recordings/segments/:id/poster',
  ]);
});

describe.each(named)('$name', ({ contract }) => {
  test('not signed in: 401', async () => {
    const reply = await send(new Visitor(app), contract, adas);
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({ status: 401, title: 'Unauthorized' });
  });

  // Lists take no id of another organization.
  if (namesThings(contract)) {
    test('another organization’s id is answered 404, like an unknown id, and nothing changes', async () => {
      const before = await stored(ben.user.orgId ?? '');
      const unknown = await send(ada, contract, unknownThings);
      const foreign = await send(ada, contract, bens);
      expect(foreign.status).toBe(404);
      expect(JSON.stringify(essence(foreign))).toBe(JSON.stringify(essence(unknown)));
      expect(await stored(ben.user.orgId ?? '')).toBe(before);
    });
  }

  test('a query or header cannot choose an organization', async () => {
    const things = usesUp(contract) ? { ...adas, ...(await fresh(app, ada, contract)) } : adas;
    const { method, url, body } = requestOf(contract, things);
    const chosen = `${url}${url.includes('?') ? '&' : '?'}orgId=${bens.organizations}&org_id=${bens.organizations}`;
    const reply = await ada.send(method, chosen, body, { 'x-org-id': bens.organizations });
    for (const id of Object.values(bens)) expect(JSON.stringify(reply.body)).not.toContain(id);
  });

  test('each role is allowed or refused according to the permission table', async () => {
    for (const role of roles) {
      const member = await memberWith(role);
      const things = usesUp(contract) ? { ...adas, ...(await fresh(app, ada, contract)) } : adas;
      const reply = await send(member, contract, things);
      if (roleMay(role, contract.permission)) {
        const expected = refused[`${contract.method} ${contract.path}`] ?? contract.output;
        expect(Object.keys(expected), role).toContain(String(reply.status));
      } else {
        expect(reply, role).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
    }
  });
});

describe('row-level security without any filter', () => {
  const asTenant = (org: string, sql: string) =>
    app.services.database.connection(orgId.parse(org), ({ query }) => query(sql, []));

  test('is enabled and forced for every table with an organization', async () => {
    const { rows } = await app.owner.query(
      `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and (a.attname = 'org_id' or c.relname = 'organizations') and not a.attisdropped
          and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
    expect((await tablesOfTenants()).length).toBeGreaterThan(10);
  });

  test('returns only the tenant’s own rows', async () => {
    for (const table of await tablesOfTenants()) {
      const { rows } = await asTenant(adas.organizations, `select distinct org_id from ${table}`);
      const foreign = rows.filter((row) => row.org_id !== adas.organizations);
      expect([table, foreign]).toEqual([table, []]);
    }
    const { rows } = await asTenant(adas.organizations, 'select id from organizations');
    expect(rows).toEqual([{ id: adas.organizations }]);
  });

  test('has rows to protect: each kind that a call creates', async () => {
    for (const table of ['rooms', 'calls', 'playbooks', 'guest_links', 'audit_events']) {
      const { rows } = await asTenant(adas.organizations, `select org_id from ${table} limit 1`);
      expect(rows).toEqual([{ org_id: adas.organizations }]);
    }
  });

  test('prevents changing, removing and adding rows of another organization', async () => {
    const { rooms, organizations } = bens;
    for (const sql of [
      `update rooms set topic = 'taken' where id = '${rooms}'`,
      `delete from rooms where id = '${rooms}'`,
      `update organizations set plan = 'enterprise' where id = '${organizations}'`,
      `update rooms set org_id = '${adas.organizations}' where id = '${rooms}'`,
    ]) {
      const { rows } = await asTenant(
        adas.organizations,
        `with done as (${sql} returning 1) select * from done`,
      );
      expect(rows).toEqual([]);
    }
    await expect(
      asTenant(
        adas.organizations,
        `insert into rooms (id, org_id, topic) values (gen_random_uuid(), '${organizations}', 'x')`,
      ),
    ).rejects.toThrow(/row-level security/);
    await expect(
      asTenant(adas.organizations, `update rooms set org_id = '${organizations}'`),
    ).rejects.toThrow(/row-level security/);
  });

  test('returns no rows where no tenant is set', async () => {
    const fresh = app.openDatabase();
    for (const table of [...(await tablesOfTenants()), 'organizations']) {
      // Unset on a fresh connection; empty after a transaction that had set it.
      for (const setting of ['select 1', "set local app.tenant to ''"]) {
        const count = await fresh.transaction('outside', async ({ query }) => {
          await query(setting, []);
          const { rows } = await query(`select count(*)::int as n from ${table}`, []);
          return rows[0]?.n;
        });
        expect([table, count]).toEqual([table, 0]);
      }
    }
    await fresh.close();
  });
});

describe('the application’s role', () => {
  const roleName = async () =>
    (
      await app.services.database.connection('outside', ({ query }) =>
        query('select current_user as me', []),
      )
    ).rows[0]?.me;

  test('owns nothing, and has no superuser rights', async () => {
    const me = await roleName();
    const { rows } = await app.owner.query(
      `select 'table' as what, relname::text as name from pg_class where relowner = $1::regrole
       union all select 'function', proname from pg_proc where proowner = $1::regrole
       union all select 'schema', nspname from pg_namespace where nspowner = $1::regrole
       union all select 'database', datname from pg_database where datdba = $1::regrole
       union all select 'member of', roleid::regrole::text from pg_auth_members where member = $1::regrole
       union all select 'right', rolname from pg_roles where oid = $1::regrole
         and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`,
      [me],
    );
    expect(rows).toEqual([]);
  });

  const refused = (sql: string) =>
    expect(
      app.services.database.transaction('outside', ({ query }) => query(sql, [])),
      sql,
    ).rejects.toThrow(/permission denied|must be owner/);

  test('adds to the audit log and reads it, and changes nothing in it', async () => {
    await refused(`update audit_events set action = 'NOTHING'`);
    await refused('delete from audit_events');
    await refused('truncate audit_events');
    await refused('alter table audit_events disable row level security');
  });

  test('accesses the audit log’s monthly partitions only through the log', async () => {
    const { rows } = await app.owner.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_events'::regclass`,
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const { name } of rows) await refused(`select * from ${name}`);
  });

  test('cannot create tables, and reads no passwords other than those of accounts', async () => {
    await refused('create table mine (id int)');
    await refused('create schema mine');
    await refused('select * from pg_authid');
  });
});

test('60 concurrent requests of two tenants never return the other’s rows', async () => {
  const ids = (body: unknown) => JSON.stringify(body);
  const replies = await Promise.all(
    Array.from({ length: 60 }, async (_, turn) => {
      const [visitor, foreign] = turn % 2 ? [ada, bens] : [ben, adas];
      const path = ['/api/rooms', '/api/calls', '/api/playbooks', '/api/analytics'][turn % 4] ?? '';
      return { reply: await visitor.send('GET', path), foreign };
    }),
  );
  for (const { reply, foreign } of replies) {
    expect(reply.status).toBe(200);
    for (const id of Object.values(foreign)) expect(ids(reply.body)).not.toContain(id);
  }
});
