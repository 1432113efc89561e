import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPasskeys } from '#domain/passkeys/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { insertPasskey } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

const answered = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} };
const signed = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
const made = { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: ['internal'] };

test.each([
  ['an ID that is no text', { ...answered, id: { toString: 1 }, response: signed }],
  ['an ID that is no base64url', { ...answered, id: 'A/A=', response: signed }],
  ['a long ID', { ...answered, id: 'A'.repeat(1365), response: signed }],
  ['no signature', { ...answered, response: { ...signed, signature: undefined } }],
  ['no answer', { ...answered, response: null }],
  ['a list as user', { ...answered, response: { ...signed, userHandle: ['AAAA'] } }],
])('R19-13: a sign-in with %s is refused as invalid', async (_, response) => {
  const reply = await new Visitor(app).send('POST', '/api/login/passkey', { response });
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
});

test('an unknown passkey is refused as such, also with fields of the standard that we do not read', async () => {
  const more = { authenticatorAttachment: 'platform', response: { ...signed, userHandle: 'AAAA' } };
  const response = { ...answered, clientExtensionResults: { appid: true }, ...more };
  const reply = await new Visitor(app).send('POST', '/api/login/passkey', { response });
  expect(reply).toMatchObject({ status: 401, body: { code: 'wrong_passkey' } });
});

test.each([
  ['a text', 'usb'],
  ['a number', 5],
  ['an object', { length: 1 }],
  ['lists', [['a'], ['b', 'c']]],
  ['objects', [{ a: 1 }, null]],
  ['eleven', Array.from({ length: 11 }, () => 'usb')],
  ['a long one', ['u'.repeat(33)]],
])('R19-13: a passkey whose transports are %s is refused as invalid', async (_, transports) => {
  const ada = await newOrganization(app);
  const add = (response: object) =>
    ada.send('POST', '/api/user/passkeys', {
      name: 'Laptop',
      response: { ...answered, response },
    });
  expect(await add({ ...made, transports })).toMatchObject({
    status: 400,
    body: { code: 'invalid_input' },
  });
  // What has the form is looked at by the library.
  expect(await add({ ...made, publicKeyAlgorithm: -7 })).toMatchObject({
    status: 400,
    body: { code: 'passkey_refused' },
  });
});

test('S19-3: an account has up to 20 passkeys, also where several are added at the same time', async () => {
  const ada = await newOrganization(app);
  const { rows } = await app.owner.query('select id from sessions where account_id = $1 limit 1', [
    ada.user.id,
  ]);
  const self = {
    ...{ user: ada.user, session: { id: rows[0].id } },
    ...{ address: '203.0.113.7', publicUrl: 'https://calls.example.com' },
  };
  const add = (name: string) =>
    insertPasskey(app.services.database, self, {
      credentialId: Buffer.from(`${ada.user.id} ${name}`).toString('base64url'),
      ...{ publicKey: Buffer.from('key'), counter: 0 },
      ...{ transports: [], name, backedUp: false },
    });
  const options = () => ada.send('POST', '/api/user/passkeys/options');
  for (let turn = 1; turn < 20; turn += 1) await add(`Key ${turn}`);
  expect((await options()).status).toBe(200);
  const last = await Promise.allSettled(['A', 'B', 'C'].map(add));
  expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await options()).toMatchObject({
    status: 409,
    body: { code: 'too_many_passkeys', message: expect.stringMatching(/20 passkeys. Remove one/) },
  });
  const own = await ada.call(listPasskeys);
  expect(own).toHaveLength(20);
  await ada.send('DELETE', `/api/user/passkeys/${own[0]?.id}`);
  expect((await options()).status).toBe(200);
});
