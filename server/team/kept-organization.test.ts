import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSso } from '#domain/sso/contract.ts';
import { inviteUser, removeUser } from '#domain/team/contract.ts';
import { readConfig } from '#server/config.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { openOutside } from '#server/platform/outside.ts';
import { Directory } from '#server/testing/directory.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  Browser,
  change,
  fakeRecords,
  newSsoOrganization,
} from '#server/testing/sso-organization.ts';
import { Visitor } from '#server/testing/visitor.ts';

const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
beforeAll(async () => {
  const outside = openOutside(readConfig({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' }));
  app = await openTestApp(
    { PUBLIC_URL: 'https://calls.example.com' },
    { outside: { ...outside, txtRecords: dns.txtRecords } },
  );
  idp = await fakeProvider();
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

test('G9: an organization that its owner is left with is not entered by another admin’s provider or directory', async () => {
  const mal = await newSsoOrganization(app, dns, 'mal.example', 'oidc', {
    issuer: idp.issuer,
    clientId: 'client',
    clientSecret: 's',
  });
  await change(mal, { roleClaim: 'groups', roleRules: [{ value: 'boss', role: 'ORGADMIN' }] });
  const directory = await Directory.of(app, mal.admin);
  const email = 'ceo@victim.example';
  const { url } = await mal.admin.call(inviteUser, { body: { email, role: 'ORGADMIN' } });
  const squatter = new Visitor(app);
  await squatter.send('POST', `/api/invitations/${url.split('/').at(-1)}/accept`, {
    email,
    password: 'of mallory',
    firstName: 'C',
    lastName: 'EO',
  });
  await squatter.send('POST', '/api/login', { email, password: 'of mallory' });
  await squatter.call(removeUser, { params: { id: mal.admin.user.id } });
  const beforehand = new Browser(app);
  const start = new URL(await beforehand.start('mallory@mal.example'));

  const owner = new Visitor(app);
  const own = { password: 'my own password' };
  await owner.send('POST', '/api/forgot-password', { email });
  const token = await mailedToken(app, email, 'reset-password');
  await owner.send('POST', `/api/reset-password/${token}`, own);
  await owner.send('POST', '/api/login', { email, ...own });

  const person = { sub: 'm', email: 'mallory@mal.example', groups: ['boss'] };
  idp.next = { person, with: {}, sign: null };
  idp.nonceOf(start.href);
  const state = start.searchParams.get('state') ?? '';
  await beforehand.visit(
    `${mal.connection.answerUrl}?${new URLSearchParams({ code: 'c', state })}`,
  );
  expect(beforehand.isSignedIn).toBe(false);
  await expect(new Browser(app).start('mallory@mal.example')).rejects.toThrow();
  expect(await directory.ask('GET', '/Users')).toMatchObject({ status: 401 });
  expect(await owner.call(readSso)).toMatchObject({ connections: [{ enabled: false }] });
  await sendDueMails(app.services);
  const mail = app.mails.findLast(({ subject, to }) => to === email && /^Earlier/.test(subject));
  expect(mail?.text).toContain('single sign-on, provisioning (SCIM)');
});
