import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Contract } from '#domain/contract.ts';
import { createLink } from '#domain/links/contract.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { allContracts } from '#server/testing/contracts.ts';
import { crmThings } from '#server/testing/crm-things.ts';
import { scimThings } from '#server/testing/directory.ts';
import { newActionItem, newRecordingShare } from '#server/testing/furnish.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newAddress, requestOf, type Things, unknownThings } from '#server/testing/requests.ts';
import { newSsoThings } from '#server/testing/sso-things.ts';
import { tokenThings } from '#server/testing/token-things.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { storeWaitingGuest } from '#server/testing/waiting-guest.ts';
import { webhookThings } from '#server/testing/webhook-things.ts';

type JsonSchema = { [key: string]: unknown };
type Place = readonly (string | number)[];

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the path of each text in a body, through objects and the first element of arrays. */
function textsOf(schema: unknown, at: Place = []): Place[] {
  if (!isSchema(schema)) return [];
  const choices = [schema.anyOf, schema.oneOf].flatMap((each) =>
    Array.isArray(each) ? each.filter(isSchema) : [],
  );
  if (choices.length > 0) return choices.flatMap((choice) => textsOf(choice, at));
  if (schema.type === 'string') return [at];
  if (schema.type === 'array') return textsOf(schema.items, [...at, 0]);
  const fields = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  return fields.flatMap(([name, inner]) => textsOf(inner, [...at, name]));
}

/** Returns the body with another value at one place. Missing parents are created. */
function withValue(body: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') return [withValue(Array.isArray(body) ? body[0] : {}, rest, value)];
  const fields = isSchema(body) ? body : {};
  return { ...fields, [step]: withValue(fields[step], rest, value) };
}
const valueAt = (body: unknown, place: Place): unknown =>
  place.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined,
    body,
  );

const hostile: Record<string, unknown> = {
  nothing: '',
  spaces: '   ',
  '300 characters': 'x'.repeat(300),
  '100,000 characters': 'x'.repeat(100_000),
  'a number': 7,
  'a truth': true,
  'a list': [],
  'an object': {},
  null: null,
  'a script': '<script>alert(1)</script>',
  'an image that runs': '"><img src=x onerror=alert(1)>',
  emoji: '👩‍🚀🏳️‍🌈',
  'right to left': 'مرحبا \u202Eevil\u202C שלום',
  'a NUL': 'a\u0000b',
  'half a character': '\ud800',
  'line ends': 'a\r\nBcc: eve@example.com\r\n\r\nb',
  SQL: `'; drop table rooms; --`,
  'a template': '{{constructor.constructor("return process")()}} $1 %s %n',
};

/** Endpoints that need no session, each with a body that it accepts. */
const publicBodies: Record<string, object> = {
  'POST /api/register': {
    email: 'x@example.com',
    password: 'correct horse',
    firstName: 'A',
    lastName: 'B',
  },
  'POST /api/login': { email: 'x@example.com', password: 'correct horse' },
  'POST /api/login/second-factor': { code: '000000' },
  'POST /api/login/passkey': {
    response: {
      ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} },
      response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
    },
  },
  'POST /api/forgot-password': { email: 'x@example.com' },
  'POST /api/reset-password/:token': { password: 'correct horse' },
  'POST /api/invitations/:token/accept': {
    email: 'x@example.com',
    password: 'correct horse',
    firstName: 'A',
    lastName: 'B',
  },
};

const cases = (await allContracts()).flatMap((contract) =>
  contract.body
    ? textsOf(
        z.toJSONSchema(contract.body, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
      ).map((place) => ({
        name: `${contract.method} ${contract.path} ${place.join('.')}`,
        contract,
        place,
      }))
    : [],
);

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let things: Things;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  const { room, call, playbook } = await runningCall(ada);
  const member = await newMember(app, ada, 'AGENT');
  const invitation = await ada.call(inviteUser, { body: { email: newAddress(), role: 'AGENT' } });
  const link = await ada.call(createLink, {
    params: { id: room.id },
    body: { name: 'For Acme' },
  });
  things = {
    'guest-links': link.id,
    'action-items': await newActionItem(ada, call.id),
    'recording-shares': await newRecordingShare(app, ada, call),
    'transcript-lines': await storeTranscriptLine(app, call.id),
    guests: await storeWaitingGuest(app, ada.user.orgId, room.id),
    rooms: room.id,
    calls: call.id,
    playbooks: playbook.id,
    organizations: ada.user.orgId ?? '',
    users: member.user.id,
    invitations: invitation.id,
    segments: unknownThings.segments,
    'speech-models': unknownThings['speech-models'],
    ...(await newSsoThings(ada)),
    ...(await webhookThings(ada)),
    ...(await tokenThings(ada)),
    ...(await crmThings(app, ada, call.id)),
    ...(await scimThings(app, ada)),
  };
});
afterAll(() => app.close());

/** An edit names the version that it is based on, so each uses its own playbook. */
async function editable(contract: Contract): Promise<Things> {
  if (`${contract.method} ${contract.path}` !== 'PUT /api/playbooks/:id') return things;
  const body = { title: 'Fresh', checklistItems: [{ text: 'Greet' }] };
  return { ...things, playbooks: (await ada.call(createPlaybook, { body })).id };
}

async function send(contract: Contract, place: Place, value: unknown) {
  const given = publicBodies[`${contract.method} ${contract.path}`];
  if (given) {
    const url = contract.path.replace(':token', 'no-such-token');
    return new Visitor(app).send(contract.method, url, withValue(given, place, value));
  }
  const { method, url, body } = requestOf(contract, await editable(contract));
  // Some endpoints change the session, so each request uses Ada's original one.
  const visitor = Object.assign(new Visitor(app), { cookie: ada.cookie });
  return visitor.send(method, url, withValue(body, place, value));
}

test('every endpoint that takes a text is tested', () => {
  expect(cases.length).toBeGreaterThan(30);
  const names = new Set(cases.map(({ contract }) => `${contract.method} ${contract.path}`));
  for (const name of [
    'POST /api/register',
    'POST /api/rooms',
    'PATCH /api/rooms/:id',
    'PUT /api/playbooks/:id',
    'PUT /api/calls/:id',
  ])
    expect(names).toContain(name);
});

test.each(cases)(
  '$name refuses hostile texts with an error message, or stores them',
  async (tried) => {
    for (const [name, value] of Object.entries(hostile)) await tryText(tried, name, value);
  },
);

async function tryText({ contract, place }: (typeof cases)[number], name: string, value: unknown) {
  const { status, body, headers } = await send(contract, place, value);
  expect(status, `${name}: ${JSON.stringify(body)}`).toBeLessThan(500);
  if (status >= 400) {
    // The 401 for a missing session has no message (docs/product-decisions.md). All other refusals
    // state what to do.
    if (status !== 401 || JSON.stringify(body).includes('message'))
      expect(body, name).toMatchObject({ status, message: expect.stringMatching(/\S/) });
    return;
  }
  expect(headers['x-content-type-options']).toBe('nosniff');
  if (status !== 204) expect(String(headers['content-type']), name).toMatch(/^application\/json/);
  const kept = valueAt(body, place);
  if (typeof value === 'string' && typeof kept === 'string')
    // A lone surrogate cannot be stored. A replacement character takes its place.
    expect([value, value.trim(), value.toLowerCase(), value.toWellFormed()], name).toContain(kept);
}
