import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '#domain/auth/contract.ts';
import { updateProfile } from '#domain/profile/contract.ts';
import * as team from '#domain/team/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function lastMailTo(email: string) {
  await sendDueMails(app.services);
  return app.mails.findLast(({ to }) => to === email);
}
const german = { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' };
const invitee = (email: string) => ({ email, role: 'AGENT' as const });

test('an invitation is mailed in the language of the inviting admin’s account', async () => {
  const admin = await newOrganization(app);
  await admin.call(updateProfile, { body: { language: 'de' } });
  const { id } = await admin.call(team.inviteUser, { body: invitee('deutsch@example.com') });
  const mail = await lastMailTo('deutsch@example.com');
  expect(mail?.subject).toMatch(/^Einladung zu .* auf Rapport$/);
  expect(mail?.text).toContain('Der Link funktioniert einmal und ist 7 Tage gültig.');
  expect(mail?.text).toContain('Einladung annehmen: http');
  expect(mail?.html).toContain('<html lang="de">');
  await admin.call(updateProfile, { body: { language: 'en' } });
  await admin.call(team.resendInvitation, { params: { id } });
  expect((await lastMailTo('deutsch@example.com'))?.subject).toMatch(/^Join .* on Rapport$/);
});

test('without a language in the account, an invitation follows the browser', async () => {
  const admin = await newOrganization(app);
  await admin.send('POST', '/api/users/invite', invitee('browser@example.com'), german);
  expect((await lastMailTo('browser@example.com'))?.subject).toMatch(/^Einladung zu /);
  await admin.call(team.inviteUser, { body: invitee('default@example.com') });
  const mail = await lastMailTo('default@example.com');
  expect(mail?.subject).toMatch(/^Join /);
  expect(mail?.text).toContain('Not expecting this? You can ignore this email.');
});

test('registering in a German browser mails the confirmation link in German', async () => {
  const email = 'neu@example.com';
  const person = { email, password: 'long enough', firstName: 'Emmy', lastName: 'Noether' };
  await new Visitor(app).send(register.method, register.path, person, german);
  expect((await lastMailTo(email))?.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse');
});
