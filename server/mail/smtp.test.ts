import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateOrganization } from '#domain/organizations/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { smtpServer } from '#server/providers/mail/smtp.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm } from '#server/testing/requests.ts';
import { SmtpReceiver } from '#server/testing/smtp-receiver.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { sendDueMails } from './send-mails.ts';
import { takeDueMails } from './store.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let receiver: SmtpReceiver;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.owner.query('delete from mails');
  receiver = await new SmtpReceiver().open();
  ada = await newOrganization(app);
});
afterEach(() => receiver.close());

const send = (silenceMs?: number) =>
  sendDueMails({
    ...app.services,
    mail: smtpServer(receiver.url, 'Rapport <calls@example.com>', silenceMs),
  });
const rename = (name: string, brandColor = '#c2410c') =>
  ada.call(updateOrganization, {
    params: { orgId: ada.user.orgId ?? '' },
    body: { name, brandColor, plan: 'starter' },
  });
const invite = (headers: Record<string, string> = {}) =>
  ada.send('POST', inviteUser.path, { email: 'ben@example.com', role: 'AGENT' }, headers);
async function uploadLogo() {
  const create = { width: 90, height: 30, channels: 3 as const, background: '#c2410c' };
  const png = await sharp({ create }).png().toBuffer();
  const path = `/api/organizations/${ada.user.orgId}/logo`;
  expect((await ada.send('POST', path, fileForm(Uint8Array.from(png)))).status).toBe(200);
}
const only = () => {
  const [one, ...more] = receiver.received;
  if (!one || more.length > 0) throw new Error('One mail was expected.');
  return one;
};

test.each([
  ['en', 'Join Acme'],
  ['de', 'Einladung zu Acme'],
])(
  'an invitation in %s arrives as text and HTML in the organization’s look, and loads nothing',
  async (language, heading) => {
    await rename('Acme');
    await uploadLogo();
    await invite({ cookie: `${ada.cookie}; rapport_language=${language}` });
    await send();
    const { mail, raw, to } = only();
    const html = String(mail.html);
    expect(to).toEqual(['ben@example.com']);
    expect(mail.subject).toContain('Acme');
    expect(mail.text).toContain(heading);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toMatch(/<title>[^<]*Acme[^<]*<\/title>/);
    expect(html).toContain('background:#c2410c');
    expect(html).not.toMatch(/(src|background|srcset)="?https?:|url\(|@import|<link|<script/i);
    const [logo, ...more] = mail.attachments;
    expect(more).toEqual([]);
    expect(logo).toMatchObject({ contentType: 'image/png', contentDisposition: 'inline' });
    expect(html).toContain(`src="cid:${logo?.cid}"`);
    expect(await sharp(logo?.content).metadata()).toMatchObject({ format: 'png', width: 90 });
    expect(raw).toMatch(/Content-Type: multipart\/alternative/);
  },
);

test('a logo that was removed before the mail is sent is left out', async () => {
  await uploadLogo();
  await invite();
  await ada.send('DELETE', `/api/organizations/${ada.user.orgId}/logo`);
  await send();
  expect(only().mail.attachments).toEqual([]);
  expect(only().mail.html).not.toContain('<img');
});

test('the name of an organization adds no header, no markup, and no reordered text', async () => {
  await rename(`A\u202Ecme <b>"x"</b>, ${'long '.repeat(12)}`.slice(0, 80));
  await invite();
  await send();
  const { mail, raw } = only();
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^(bcc|cc):/im);
  expect(mail.subject).not.toMatch(/[\u202A-\u202E\r\n]/);
  expect(mail.html).not.toMatch(/<b>|[\u202A-\u202E]/);
  expect(mail.html).toContain('&lt;b&gt;');
});

test('a mail about an account without an organization has Rapport’s look', async () => {
  await app.owner.query('delete from memberships where account_id = $1', [ada.user.id]);
  await new Visitor(app).send('POST', '/api/forgot-password', { email: ada.user.email });
  await expect.poll(() => send()).toBe(1);
  expect(only().mail.html).toContain('>Rapport</strong>');
  expect(only().mail.attachments).toEqual([]);
});

test('what the server refuses, or does not answer, is sent later', async () => {
  await invite();
  receiver.decide = () => Promise.reject(new Error('Mailbox full'));
  expect(await send()).toBe(0);
  await app.owner.query('update mails set next_try_at = now()');
  receiver.decide = () => new Promise(() => undefined);
  expect(await send(50)).toBe(0);
  const { rows } = await app.owner.query(
    'select attempts, last_error, next_try_at > now() as later from mails',
  );
  expect(rows).toEqual([
    { attempts: 2, last_error: expect.stringMatching(/timeout/i), later: true },
  ]);
  await app.owner.query('update mails set next_try_at = now()');
  receiver.decide = async () => undefined;
  expect(await send()).toBe(1);
  expect(receiver.received).toHaveLength(1);
});

test('a server that accepts after a minute gets the mail once', async () => {
  await invite();
  const asked = Promise.withResolvers<void>();
  const accept = Promise.withResolvers<void>();
  receiver.decide = () => {
    asked.resolve();
    return accept.promise;
  };
  const sending = send();
  await asked.promise;
  // A minute and more passes.
  await app.owner.query(`update mails set next_try_at = next_try_at - interval '75 seconds'`);
  expect(await takeDueMails(app.services.database, 20)).toEqual([]);
  accept.resolve();
  expect(await sending).toBe(1);
  expect(only().mail.text).toContain('/invite/');
});
