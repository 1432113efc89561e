import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiScopes, isPersonalScope } from '#domain/api/scopes.ts';
import { apiDescriptionPath } from '#domain/public/pages.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { fail } from './fail.ts';
import { prepareTools } from './install-tools.ts';
import { hasSchemathesis, schemathesisProgram, testTools } from './test-tools.ts';

/**
 * `npm run schemathesis [-- minutes]`: Schemathesis generates requests from Rapport's OpenAPI
 * description, signed in as each role in turn. It finds a 5xx, a status that the description does
 * not name, and an answer of another shape. `--short` sends the same few requests to every endpoint
 * each time, as an admin and with an API token only: server/platform/role-matrix.test.ts asks each endpoint without a
 * session. With the token, it follows the public description, which programs rely on.
 */
const roles = ['ORGADMIN', 'AGENT', 'VIEWER', 'SUPERADMIN', 'nobody', 'token'] as const;
type Role = (typeof roles)[number];
const shortRoles: readonly Role[] = ['ORGADMIN', 'token'];
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];
/**
 * Requests that can end the session of the others: Schemathesis finds its own ids in the answers,
 * and registering signs in another account. They run last, separately.
 */
const endsSession =
  /^\/api\/(logout|register|user\/sessions\/|user\/delete|users\/|privacy\/erase|organizations\/.*\/deletion)/
    .source;
const password = 'correct horse';

async function post(program: Program, path: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) };
  const answer = await fetch(program.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => pair.startsWith('rapport_session=')) ?? '';

const person = (email: string) => ({ email, password, firstName: 'Ada', lastName: 'Lovelace' });

/** The description to follow, and the headers of each request. */
interface Caller {
  description: string;
  cookie: string;
  token: string | null;
}

/** Signs in a person with this role in a new organization that has some data; or makes a token there. */
async function callerOf(program: Program, role: Role): Promise<Caller> {
  if (role === 'token') {
    const cookie = await signedInAs(program, 'ORGADMIN', role);
    const scopes = apiScopes.filter(isPersonalScope);
    const body = { name: 'Schemathesis', scopes, expiresInDays: 30 };
    const { token } = await (await post(program, '/api/user/tokens', body, cookie)).json();
    return { description: apiDescriptionPath, cookie: '', token };
  }
  const cookie = role === 'nobody' ? '' : await signedInAs(program, role);
  return { description: '/api/openapi.json', cookie, token: null };
}

async function signedInAs(
  program: Program,
  role: Exclude<Role, 'nobody' | 'token'>,
  namedAs: Role = role,
): Promise<string> {
  const name = namedAs.toLowerCase();
  const admin = cookieOf(await post(program, '/api/register', person(`${name}-admin@example.com`)));
  const playbook = { title: 'Onboarding', checklistItems: [{ text: 'Greet' }] };
  const { id: playbookId } = await (await post(program, '/api/playbooks', playbook, admin)).json();
  await post(program, '/api/rooms', { topic: 'Kick-off', playbookId }, admin);
  const email = `${name}@example.com`;
  const invited = { email, role: role === 'SUPERADMIN' ? 'ORGADMIN' : role };
  const { url } = await (await post(program, '/api/users/invite', invited, admin)).json();
  const token = new URL(url).pathname.split('/').at(-1);
  await post(program, `/api/invitations/${token}/accept`, person(email));
  if (role === 'SUPERADMIN') grant(program, email);
  return cookieOf(await post(program, '/api/login', { email, password }));
}

function grant(program: Program, email: string): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/admin.ts', 'grant', email], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, DATA_DIR: program.dataDir },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

function attack(schemathesis: string, program: Program, caller: Caller, more: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-schemathesis-'));
  const args = ['run', program.url + caller.description, '--checks', checks.join(',')];
  args.push('--no-color', '--generation-with-security-parameters', 'false', ...more);
  args.push('--generation-database', 'none');
  args.push('--warnings', 'off', '--no-shrink', '--continue-on-failure');
  if (caller.cookie) args.push('-H', `Cookie: ${caller.cookie}`);
  if (caller.token) args.push('-H', `Authorization: Bearer ${caller.token}`);
  const child = spawn(schemathesis, args, { cwd: folder, stdio: 'inherit' });
  return new Promise<boolean>((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => {
      rmSync(folder, { recursive: true, force: true });
      resolve(code === 0);
    });
  });
}

async function isSignedIn(program: Program, cookie: string): Promise<boolean> {
  return (await fetch(`${program.url}/api/user`, { headers: { cookie } })).ok;
}

function effortOf(given: string | undefined): string[] {
  if (given === '--short') return ['--phases', 'fuzzing', '-n', '2', '--seed', '1'];
  const seconds = Math.ceil((Number(given ?? 20) * 60) / roles.length);
  if (!(seconds > 0)) throw new Error('Say for how many minutes: npm run schemathesis -- 20');
  return ['--phases', 'examples,coverage,fuzzing', '--max-time', String(seconds)];
}

/** @returns the roles with findings */
async function run(
  schemathesis: string,
  effort: string[],
  asked: readonly Role[],
): Promise<string[]> {
  const program = await startProgram();
  const found: string[] = [];
  try {
    for (const role of asked) {
      console.log(`\nAs ${role}:`);
      const caller = await callerOf(program, role);
      const most = await attack(schemathesis, program, caller, [
        ...effort,
        ...['--exclude-path-regex', endsSession],
      ]);
      // Otherwise the other requests were unauthenticated, and say nothing about this role.
      const lasted = !caller.cookie || (await isSignedIn(program, caller.cookie));
      // Nothing that tokens may use ends one.
      const last =
        caller.token ||
        (await attack(schemathesis, program, caller, [
          ...['--phases', 'fuzzing', '-n', '10', '--seed', '1'],
          ...['--include-path-regex', endsSession],
        ]));
      if (!most || !last) found.push(role);
      if (!lasted) found.push(`${role} (its session has ended on the way)`);
    }
  } finally {
    await discard(program);
  }
  return found;
}

try {
  const effort = effortOf(process.argv[2]);
  await prepareTools(
    testTools.filter(({ name }) => name === 'Schemathesis'),
    true,
    console.log,
  );
  if (hasSchemathesis()) {
    const asked = process.argv[2] === '--short' ? shortRoles : roles;
    const found = await run(schemathesisProgram, effort, asked);
    if (found.length > 0) throw new Error(`Schemathesis found something as ${found.join(', ')}.`);
    console.log('Schemathesis found nothing.');
  }
} catch (error) {
  fail(error);
}
