import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCrmConnections } from '#domain/crm/contract.ts';
import type { AccountId } from '#domain/ids.ts';
import { listSlackChannels } from '#domain/slack/contract.ts';
import { readSso } from '#domain/sso/contract.ts';
import { inviteUser, removeUser } from '#domain/team/contract.ts';
import { listWebhooks } from '#domain/webhooks/contract.ts';
import { readConfig } from '#server/config.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { openOutside } from '#server/platform/outside.ts';
import { crmThings, unusedCrm } from '#server/testing/crm-things.ts';
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
import { newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { webhookThings } from '#server/testing/webhook-things.ts';

const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
beforeAll(async () => {
  const outside = openOutside(readConfig({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' }));
  app = await openTestApp(
    { PUBLIC_URL: 'https://calls.example.com', ...unusedCrm },
    { outside: { ...outside, txtRecords: dns.txtRecords } },
  );
  idp = await fakeProvider();
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

/** Makes another person's account the only admin of the organization, as an attacker who then leaves. */
async function leaveWith(mallory: Visitor & { user: { id: AccountId } }, email: string) {
  const { url } = await mallory.call(inviteUser, { body: { email, role: 'ORGADMIN' } });
  const squatter = new Visitor(app);
  await squatter.send('POST', `/api/invitations/${url.split('/').at(-1)}/accept`, {
    email,
    password: 'of mallory',
    firstName: 'C',
    lastName: 'EO',
  });
  await squatter.send('POST', '/api/login', { email, password: 'of mallory' });
  await squatter.call(removeUser, { params: { id: mallory.user.id } });
}

/** The owner of the address resets the password by mail, and signs in. */
async function takeOver(email: string): Promise<Visitor> {
  const owner = new Visitor(app);
  const own = { password: 'my own password' };
  await owner.send('POST', '/api/forgot-password', { email });
  const token = await mailedToken(app, email, 'reset-password');
  await owner.send('POST', `/api/reset-password/${token}`, own);
  await owner.send('POST', '/api/login', { email, ...own });
  return owner;
}

async function mailTo(email: string): Promise<string | undefined> {
  await sendDueMails(app.services);
  return app.mails.findLast(({ subject, to }) => to === email && /^Earlier/.test(subject))?.text;
}

test('G9: an organization that its owner is left with is not entered by another admin’s provider or directory', async () => {
  const mal = await newSsoOrganization(app, dns, 'mal.example', 'oidc', {
    issuer: idp.issuer,
    clientId: 'client',
    clientSecret: 's',
  });
  await change(mal, { roleClaim: 'groups', roleRules: [{ value: 'boss', role: 'ORGADMIN' }] });
  const directory = await Directory.of(app, mal.admin);
  const email = 'ceo@victim.example';
  await leaveWith(mal.admin, email);
  const beforehand = new Browser(app);
  const start = new URL(await beforehand.start('mallory@mal.example'));

  const owner = await takeOver(email);

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
  expect(await mailTo(email)).toContain('single sign-on, provisioning (SCIM)');
});

test('R23-A1: an organization that its owner is left with sends nothing to addresses of another admin', async () => {
  const mal = await newOrganization(app);
  const { call } = await runningCall(mal);
  await webhookThings(mal);
  await crmThings(app, mal, call.id);
  const email = 'cfo@victim.example';
  await leaveWith(mal, email);
  const owner = await takeOver(email);
  expect(await owner.call(listWebhooks)).toMatchObject([{ disabled: { reason: 'member' } }]);
  expect(await owner.call(listSlackChannels)).toMatchObject([{ disabled: { reason: 'member' } }]);
  expect(await owner.call(listCrmConnections)).toContainEqual(
    expect.objectContaining({ vendor: 'hubspot', state: 'needs_attention' }),
  );
  expect(await mailTo(email)).toContain('webhooks, Slack channels, CRM connections');
});
