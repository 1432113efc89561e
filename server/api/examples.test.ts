import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { curlOf, shellVariableOf } from '#domain/api/openapi/curl.ts';
import { describeApi } from '#domain/api/openapi/describe.ts';
import { operations } from '#domain/api/operations/all.ts';
import type { Operation } from '#domain/api/operations/operation.ts';
import { apiScopes } from '#domain/api/scopes.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { fresh, furnish, usesUp } from '#server/testing/furnish.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import type { Things } from '#server/testing/requests.ts';
import { organizationToken } from '#server/testing/token-things.ts';
import { newOrganization } from '#server/testing/visitor.ts';

const examples = resolve(import.meta.dirname, '../../sdk/client/examples');
const described = describeApi();
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let url: string;
let token: Awaited<ReturnType<typeof organizationToken>>;
let things: Things;
let folder: string;
beforeAll(async () => {
  app = await openTestApp();
  url = (await app.listen()).replace(/^ws/, 'http');
  ada = await newOrganization(app);
  token = await organizationToken(ada, apiScopes);
  things = await furnish(app, ada);
  folder = mkdtempSync(join(tmpdir(), 'rapport-examples-'));
  // A status of 400 or more ends curl with an error.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  code: number | string | null;
  out: string;
}

function run(program: string, args: string[], given: Partial<Things> = {}): Promise<Ran> {
  const ids = Object.entries({ ...things, ...given }).map(([noun, id]) => [
    shellVariableOf(noun),
    id,
  ]);
  const env = {
    ...{ PATH: process.env.PATH, CURL_HOME: folder, PLAYBOOK_VERSION: '0' },
    ...{ RAPPORT_URL: url, RAPPORT_TOKEN: token.token, ...Object.fromEntries(ids) },
  };
  return new Promise((done) => {
    execFile(program, args, { cwd: folder, env }, (error, out, errors) =>
      done({ code: error?.code ?? 0, out: error ? out + errors : out }),
    );
  });
}
const shell = (name: string) => run('bash', ['-e', join(examples, `${name}.sh`)]);
const script = (name: string) =>
  run(process.execPath, ['--conditions=source', join(examples, `${name}.ts`)]);

/** The limit of the token's requests is reached, for so many seconds. */
const exhaust = (seconds: number) =>
  app.owner.query(
    `insert into api_token_uses (token_id, org_id, window_at, uses) values ($1, $2, now() - make_interval(secs => 60 - $3), 1e9)
     on conflict (token_id) do update set uses = excluded.uses, window_at = excluded.window_at`,
    [token.id, ada.user.orgId, seconds],
  );

test.each([
  ['list-rooms', /"topic":"Kick-off"/, /^Kick-off: 1 calls$/m],
  ['create-room', /"topic":"Kick-off with Acme"/, /^[\w-]{36}\n$/],
  ['read-call', /"attendances":.*"We sell by Friday"/s, /^Kick-off, .*\nCleo: We sell by Friday$/m],
  ['list-action-items', /"title":"Send the offer"/, /^open: Send the offer, due any time$/m],
  ['subscribe-webhook', /"secret":"whsec_/, /^[\w-]{36} whsec_/],
  ['mint-embed-token', /"expiresAt":"20/, /^\S+ 20\d\d-/],
  ['change-unless-edited', /"topic":"Renewal"/, /^Renewal$/m],
  ['handle-conflict', /"title":"Onboarding 2027".*"version":2/, /^Onboarding 2027 2$/m],
])(
  'the example %s does what it says, by curl and in TypeScript',
  async (name, byCurl, byClient) => {
    expect(await shell(name)).toEqual({ code: 0, out: expect.stringMatching(byCurl) });
    things = await furnish(app, ada);
    expect(await script(name)).toEqual({ code: 0, out: expect.stringMatching(byClient) });
  },
);

test('the examples of pages read every page', async () => {
  for (const topic of ['Third', 'Second', 'First']) await ada.call(createRoom, { body: { topic } });
  const topics = /First.*Second.*Third.*Kick-off/s;
  for (const ran of [await shell('paginate'), await script('paginate')]) {
    expect(ran).toEqual({ code: 0, out: expect.stringMatching(topics) });
  }
});

test('the examples of the rate limit wait for as long as the server says, or tell', async () => {
  for (const retry of [shell, script]) {
    await exhaust(1);
    const ran = await retry('handle-rate-limit');
    expect(ran).toEqual({ code: 0, out: expect.stringContaining('Kick-off') });
  }
  await exhaust(50);
  expect((await script('handle-rate-limit')).out).toMatch(
    /^too_many_token_requests: try again in \d\d seconds\n$/,
  );
  await exhaust(0);
});

/** Returns what checks the answers of an operation by their description. */
function answerOf(operationId: string): z.ZodType {
  const items = Object.values(described.paths).flatMap((item) => Object.values(item));
  const answers = items.find((each) => each.operationId === operationId)?.responses ?? {};
  const schemas = Object.entries(answers).flatMap(([status, answer]) =>
    status.startsWith('2') && 'content' in answer ? Object.values(answer.content ?? {}) : [],
  );
  const json = { ...schemas[0]?.schema, $defs: described.components.schemas };
  return z.fromJSONSchema(
    JSON.parse(JSON.stringify(json).replaceAll('#/components/schemas/', '#/$defs/')),
  );
}

test.each(Object.entries(operations))(
  'the curl command of %s succeeds, and the description fits its answer',
  async (operationId, operation: Operation) => {
    const { contract } = operation;
    const isRead = contract.method === 'GET' && !usesUp(contract);
    const own = isRead ? {} : await fresh(app, ada, contract);
    const { code, out } = await run('bash', ['-c', curlOf(operation)], own);
    expect([code, out]).toEqual([0, expect.any(String)]);
    if (204 in contract.output) expect(out).toBe('');
    else expect(answerOf(operationId).safeParse(JSON.parse(out)).error).toBeUndefined();
  },
);

test('what README and documentation show are these examples', () => {
  const tested = readdirSync(examples).map((name) => readFileSync(join(examples, name), 'utf8'));
  for (const page of ['README.md', 'docs/api.md', 'docs/embedding.md', 'sdk/client/README.md']) {
    const blocks = readFileSync(page, 'utf8').matchAll(/^```\w*\n(.*?)^```$/gms);
    const shown = [...blocks]
      .map(([, block]) => block ?? '')
      .filter((each) => /RAPPORT_|^curl |createClient/m.test(each));
    expect(shown.length, page).toBeGreaterThan(0);
    for (const each of shown) expect(tested, page).toContain(each);
  }
});
