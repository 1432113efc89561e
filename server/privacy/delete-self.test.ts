import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { asBegunBySso } from '#server/testing/sso-organization.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A person who signed in by single sign-on, this many minutes ago. */
async function personOfProvider(minutesAgo: number) {
  const person = await newMember(app, await newOrganization(app), 'AGENT');
  const { id } = person.user;
  await app.owner.query('update accounts set password_hash = null where id = $1', [id]);
  await asBegunBySso(app, person);
  await app.owner.query(
    'update sessions set confirmed_at = now() - make_interval(mins => $2) where account_id = $1',
    [id, minutesAgo],
  );
  return person;
}

test('A12: deleting an account without a password requires a recent sign-in', async () => {
  const left = await personOfProvider(11);
  const { email } = left.user;
  expect(await left.send('POST', '/api/user/delete', { email })).toMatchObject({
    status: 403,
    body: { code: 'sign_in_again', message: expect.stringContaining('Sign out and in again') },
  });
  expect(await left.send('GET', '/api/user')).toMatchObject({ status: 200 });
  const present = await personOfProvider(1);
  const gone = await present.send('POST', '/api/user/delete', { email: present.user.email });
  expect(gone).toMatchObject({ status: 204 });
});
