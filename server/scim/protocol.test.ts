import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scimEndpoints, scimPath, unsupportedPaths } from '#domain/scim/endpoints.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { splitEndpoint } from './protocol.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let adas: Directory;
let bens: Directory;
let things: Record<string, string>;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  adas = await Directory.of(app, ada);
  bens = await Directory.of(app, await newOrganization(app), 'bens.example');
  const user = await adas.user('walled@directory.example', { title: 'Secret title' });
  const group = await adas.group('Secret group', [user.id]);
  things = { Users: user.id, Groups: group, ResourceTypes: 'User', Schemas: 'x' };
});
afterAll(() => app.close());

const nobody = '01900000-0000-7000-8000-000000000000';
const bodies: Record<string, object> = {
  'PUT /Users/:id': { userName: 'taken@directory.example' },
  'PATCH /Users/:id': patchOf({ op: 'replace', value: { active: false } }),
  'PUT /Groups/:id': { displayName: 'Taken' },
  'PATCH /Groups/:id': patchOf({ op: 'remove', path: 'members' }),
  'POST /Users/.search': {},
  'POST /Groups/.search': {},
};
const requests = scimEndpoints.map((endpoint) => {
  const [method, path] = splitEndpoint(endpoint);
  return { endpoint, method, path, body: bodies[endpoint] };
});
type Request = (typeof requests)[number];
const ask = (directory: Directory, { method, path, body }: Request, id: string) =>
  directory.ask(method === 'HEAD' ? 'GET' : (method as 'GET'), path.replace(':id', id), body); // of scimEndpoints

async function stored(): Promise<string> {
  const found = [];
  for (const table of ['scim_users', 'scim_groups', 'scim_group_members', 'memberships']) {
    const { rows } = await app.owner.query(
      `select * from ${table} t where org_id = $1 order by t::text`,
      [ada.user.orgId],
    );
    found.push(rows);
  }
  return JSON.stringify(found);
}

/** The paths in the router's tree with their methods, assembled from its branches. */
function routesOf(tree: string): { path: string; methods: string[] }[] {
  const trail: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    trail.splice(depth, trail.length, part);
    return methods ? [{ path: trail.join(''), methods: methods.split(', ') }] : [];
  });
}

test('every route under /scim/v2 is declared, and every declared endpoint has a route', () => {
  const served = routesOf(app.http.printRoutes({ commonPrefix: false }))
    .filter(({ path }) => path.startsWith(scimPath))
    .map(({ path }) => path.slice(scimPath.length));
  const declared = [...scimEndpoints.map((each) => splitEndpoint(each)[1]), ...unsupportedPaths];
  expect([...new Set(served)].sort()).toEqual([...new Set(declared)].sort());
  for (const { method, path } of requests)
    expect(app.http.hasRoute({ method, url: `${scimPath}${path}` })).toBe(true);
});

describe.each(requests)('$endpoint', (request) => {
  test('without a valid token: 401 as a SCIM error', async () => {
    for (const token of ['', 'x', `${adas.token}x`, adas.token.slice(0, -2), 'rapport_scim_']) {
      const said = await ask(new Directory(app, token), request, nobody);
      expect(said).toMatchObject({
        status: 401,
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          status: '401',
          detail: expect.any(String),
        },
      });
      expect(said.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });

  test('a session cookie is not accepted in place of a token', async () => {
    const { method, path, body } = request;
    const url = `${scimPath}${path.replace(':id', nobody)}`;
    expect((await ada.send(method as 'GET', url, body)).status).toBe(401); // of scimEndpoints
  });

  test('attack 39: another organization’s token finds nothing, and changes nothing', async () => {
    const [, noun = ''] = request.path.split('/');
    const before = await stored();
    const said = await ask(bens, request, things[noun] ?? nobody);
    const isOurs = noun === 'Users' || noun === 'Groups';
    if (isOurs && request.path.includes(':id')) {
      expect(said.status).toBe(404);
      expect(said.body).toEqual((await ask(bens, request, nobody)).body);
    }
    expect(JSON.stringify(said.body)).not.toMatch(/walled@|Secret/);
    expect(await stored()).toBe(before);
  });
});

test('a filter by IDs of another organization finds nothing', async () => {
  for (const filter of [
    `id eq "${things.Users}"`,
    'title pr or userName pr',
    `groups.value eq "${things.Groups}"`,
  ]) {
    const { body } = await bens.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect(JSON.stringify(body)).not.toMatch(/walled@|Secret/);
  }
});

test('unsupported parts of the protocol get 501, other methods 405, other paths 404', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    for (const path of unsupportedPaths) expect((await adas.ask(method, path)).status).toBe(501);
  }
  for (const [method, path] of [
    ['DELETE', '/Users'],
    ['POST', '/ServiceProviderConfig'],
    ['PUT', '/Schemas'],
    ['PATCH', '/ResourceTypes/User'],
  ] as const) {
    const said = await adas.ask(method, path);
    expect([said.status, said.body.status]).toEqual([405, '405']);
    expect(said.headers.allow).toContain('GET');
  }
  for (const path of ['/Nothing', '/Users/x/y', '/Users/nobody', '/Schemas/none'])
    expect(await adas.ask('GET', path)).toMatchObject({ status: 404, body: { status: '404' } });
});

test('discovery lists the features: patch, filter, sort, ETags, and no bulk', async () => {
  const config = await adas.ask('GET', '/ServiceProviderConfig');
  expect(config.body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    sort: { supported: true },
    etag: { supported: true },
  });
  for (const path of ['/ResourceTypes', '/Schemas']) {
    const { body } = await adas.ask('GET', path);
    for (const each of body.Resources) {
      expect((await adas.ask('GET', `${path}/${each.id}`)).body).toEqual(each);
    }
  }
});

test('beyond the limit of a token: 429 with Retry-After, and other tokens are not throttled', async () => {
  const busy = await openTestApp();
  const one = await Directory.of(busy, await newOrganization(busy));
  const other = await Directory.of(busy, await newOrganization(busy), 'other.example');
  Object.assign(busy.services.config, { RATE_LIMIT_SCALE: 0.001 });
  const all = [];
  for (let turn = 0; turn < 5; turn += 1) all.push(await one.ask('GET', '/Users'));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(Number(all[4]?.headers['retry-after'])).toBeGreaterThan(0);
  expect(all[4]?.body).toMatchObject({ status: '429', detail: expect.any(String) });
  expect((await other.ask('GET', '/Users')).status).toBe(200);
  await busy.close();
});

describe('hostile requests get 4xx, never 5xx', () => {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  const long = 'x'.repeat(100_000);
  test.each<[string, object | string]>([
    ['NUL', { userName: 'a\0@directory.example' }],
    ['NUL in a key', { userName: 'a@directory.example', 'a\0': 1 }],
    ['a lone surrogate', '{"userName":"a@directory.example","title":"\\ud800"}'],
    ['half a pair in a name', '{"userName":"\\udfff@directory.example"}'],
    ['10,000 deep', `{"userName":"a@directory.example","name":${deep}}`],
    ['a prototype', '{"userName":"a@directory.example","__proto__":{"active":true}}'],
    ['no JSON', '{"userName":'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
    ['no userName', {}],
    ['an empty userName', { userName: '  ' }],
    ['userName as a list', { userName: ['a@directory.example'] }],
    ['userName that is no address, and no emails', { userName: 'plain' }],
    ['an address that is none', { userName: 'p', emails: [{ value: 'nope' }] }],
    ['emails as a number', { userName: 'a@directory.example', emails: 7 }],
    ['active as a word', { userName: 'a@directory.example', active: 'maybe' }],
    ['a name as a text', { userName: 'a@directory.example', name: 7 }],
    ['a long text', { userName: 'a@directory.example', title: long }],
    ['a long userName', { userName: `${long}@directory.example` }],
    [
      'too many addresses',
      {
        userName: 'a@directory.example',
        emails: Array(500).fill({ value: 'b@directory.example' }),
      },
    ],
    ['too much', JSON.stringify({ userName: 'a@directory.example', title: 'x'.repeat(2_500_000) })],
  ])('POST /Users with %s', async (_, body) => {
    const said = await adas.ask('POST', '/Users', body);
    expect([said.status >= 400 && said.status < 500, said.body?.status]).toEqual([
      true,
      String(said.status),
    ]);
  });

  test.each<[string, object]>([
    ['no schema', { Operations: [{ op: 'add', path: 'title', value: 'x' }] }],
    ['no operations', patchOf()],
    ['10,001 operations', patchOf(...Array(10_001).fill({ op: 'add', path: 'title', value: 'x' }))],
    ['another op', patchOf({ op: 'move', path: 'title', value: 'x' })],
    ['a remove without path', patchOf({ op: 'remove' })],
    ['an unknown path', patchOf({ op: 'add', path: 'nothing', value: 'x' })],
    ['a path that cannot be read', patchOf({ op: 'add', path: 'emails[type eq', value: 'x' })],
    [
      'a filter where there is one value',
      patchOf({ op: 'add', path: 'name[type eq "x"]', value: 'x' }),
    ],
    ['what is ours to set', patchOf({ op: 'replace', path: 'id', value: 'x' })],
    ['groups', patchOf({ op: 'add', path: 'groups', value: [{ value: 'x' }] })],
    ['no userName left', patchOf({ op: 'remove', path: 'userName' })],
    ['operations that are none', patchOf('x' as unknown as object)],
    ['a path that is none', patchOf({ op: 'add', path: 7, value: 'x' })],
    ['a nested filter', patchOf({ op: 'remove', path: 'emails[a[b eq "c"]]' })],
  ])('PATCH /Users with %s', async (_, body) => {
    const said = await adas.ask('PATCH', `/Users/${things.Users}`, body);
    expect([said.status >= 400 && said.status < 500, said.body?.status]).toEqual([
      true,
      String(said.status),
    ]);
  });

  test('unknown attributes are ignored and never stored', async () => {
    const said = await adas.user('unknown@directory.example', {
      unknown: { deep: [1] },
      'urn:example:other': { a: 1 },
      id: nobody,
      org_id: nobody,
      meta: { version: 'W/"99"' },
      password: 'correct horse',
    });
    expect(said.id).not.toBe(nobody);
    expect(Object.keys(said).sort()).toEqual(['active', 'id', 'meta', 'schemas', 'userName']);
    const signIn = { email: 'unknown@directory.example', password: 'correct horse' };
    expect((await new Visitor(app).send('POST', '/api/login', signIn)).status).toBe(401);
  });

  test('another content type gets 415', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await adas.ask('POST', '/Users', '{}', headers)).status).toBe(415);
  });
});
