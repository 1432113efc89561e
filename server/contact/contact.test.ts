import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { Visitor } from '#server/testing/visitor.ts';

const given = {
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@navy.example',
  company: 'Navy & Co',
  phone: '+1 555 0100',
  planInterest: 'enterprise',
  message: 'How many\n<b>people</b> fit in a call?',
};
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ CONTACT_INBOX: 'sales@acme.example' });
});
beforeEach(async () => {
  await app.owner.query('delete from mails');
  app.mails.length = 0;
});
afterAll(() => app.close());
const write = (body: unknown, to = app) => new Visitor(to).send('POST', '/api/contact', body);
const stored = async () => (await app.owner.query('select * from mails')).rowCount;

test('a message is sent to CONTACT_INBOX, and markup in it stays text', async () => {
  expect((await write(given)).status).toBe(204);
  await sendDueMails(app.services);
  const [mail] = app.mails;
  expect(mail).toMatchObject({
    to: 'sales@acme.example',
    subject: 'Contact: Grace Hopper, Navy & Co',
  });
  for (const line of [
    'Business Email: grace@navy.example',
    'Phone Number: +1 555 0100',
    'Plan of Interest: enterprise',
    'How many\n<b>people</b> fit in a call?',
  ])
    expect(mail?.text).toContain(line);
  expect(mail?.html).toContain('&lt;b&gt;people&lt;/b&gt;');
});

test.each([
  ['firstName', ' ', 'First name is required'],
  ['lastName', undefined, 'Last name is required'],
  ['email', 'grace', 'Please enter a valid email address'],
  ['company', '', 'Company name is required'],
  ['planInterest', 'gold', 'Please choose a plan'],
])('%s "%s" is refused: %s', async (field, value, message) => {
  const answer = await write({ ...given, [field]: value });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ message, errors: [{ path: field, message }] });
  expect(await stored()).toBe(0);
});

test('phone, plan and message are optional', async () => {
  const { firstName, lastName, email, company } = given;
  expect((await write({ firstName, lastName, email, company })).status).toBe(204);
  expect(await stored()).toBe(1);
});

test('a name cannot begin another header of the mail', async () => {
  await write({ ...given, firstName: 'Grace\r\nBcc: all@example.com' });
  await sendDueMails(app.services);
  expect(app.mails[0]?.subject).toBe('Contact: Grace Bcc: all@example.com Hopper, Navy & Co');
});

test('a bot that fills in the hidden field gets the same answer, and nothing is sent', async () => {
  expect((await write({ ...given, website: 'https://spam.example' })).status).toBe(204);
  expect(await stored()).toBe(0);
});

test('the sixth message of an hour from one address is throttled', async () => {
  const strict = await openTestApp({ CONTACT_INBOX: 'sales@acme.example', RATE_LIMIT_SCALE: '1' });
  for (let sent = 0; sent < 5; sent += 1) expect((await write(given, strict)).status).toBe(204);
  const sixth = await write(given, strict);
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0);
  await strict.close();
});

test('without a CONTACT_INBOX no message is accepted', async () => {
  const closed = await openTestApp();
  expect((await write(given, closed)).status).toBe(404);
  await closed.close();
});
