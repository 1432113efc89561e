import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { setGroupRole } from '#domain/scim/contract.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { enter, enterPanel } from '#server/testing/live-client.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let directory: Directory;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
  ada = await newOrganization(app);
  directory = await Directory.of(app, ada);
});
afterAll(() => app.close());

const tokenFor = async (visitor: Visitor, id: string) =>
  (await visitor.call(openRoom, { params: { id } })).meetingToken;

test('deactivating a user in the directory ends their page and panel in the call immediately', async () => {
  const { room } = await runningCall(ada);
  const member = await newMember(app, ada, 'AGENT');
  const token = await tokenFor(member, room.id);
  const [page, panel] = [await enter(url, token), await enterPanel(url, token)];
  const off = patchOf({ op: 'Replace', path: 'active', value: 'False' });
  expect((await directory.ask('PATCH', `/Users/${member.user.id}`, off)).status).toBe(200);
  expect(await page.closed).toBe(closeCodes.removed);
  expect(await panel.closed).toBe(closeCodes.removed);
});

test('a role that a group removes applies in a running call immediately', async () => {
  const { room } = await runningCall(ada);
  const member = await newMember(app, ada, 'VIEWER');
  const id = await directory.group('In a call', [member.user.id]);
  await ada.call(setGroupRole, { params: { id }, body: { role: 'AGENT' } });
  const panel = await enterPanel(url, await tokenFor(member, room.id));
  expect(panel.welcome.mayEdit).toBe(true);
  await directory.ask('PATCH', `/Groups/${id}`, patchOf({ op: 'remove', path: 'members' }));
  await panel.until('rights', ({ mayEdit }) => !mayEdit);
  expect((await enterPanel(url, panel.welcome.token)).welcome.mayEdit).toBe(false);
});

test('a provisioned user sets a password by the reset mail, and signs in', async () => {
  const email = 'first-password@directory.example';
  const { id } = await directory.user(email);
  const visitor = new Visitor(app);
  await visitor.send('POST', '/api/forgot-password', { email });
  const token = await mailedToken(app, email, 'reset-password');
  const password = 'a first password';
  const reset = await visitor.send('POST', `/api/reset-password/${token}`, { password });
  expect(reset.status).toBe(200);
  expect(await visitor.send('POST', '/api/login', { email, password })).toMatchObject({
    status: 200,
    body: { id, orgId: ada.user.orgId, role: 'VIEWER' },
  });
});

test('changing an address by SCIM invalidates the links that were mailed to the old one', async () => {
  const email = 'moves@directory.example';
  const { id } = await directory.user(email);
  await new Visitor(app).send('POST', '/api/forgot-password', { email });
  const open = async () =>
    (
      await app.owner.query(
        'select 1 from password_resets where account_id = $1 and used_at is null',
        [id],
      )
    ).rowCount;
  await expect.poll(open).toBe(1);
  await directory.ask(
    'PATCH',
    `/Users/${id}`,
    patchOf({ op: 'replace', path: 'userName', value: 'moved@directory.example' }),
  );
  expect(await open()).toBe(0);
});
