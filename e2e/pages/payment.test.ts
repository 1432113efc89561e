import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, StripeStandIn } from '#server/testing/stripe-stand-in.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { takePicture } from '../support/picture.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { signUp } from '../support/staff.ts';
import { stubStripeJs } from '../support/stripe-js.ts';

const stripe = new StripeStandIn();
let program: Program;
let ada: Person;

beforeAll(async () => {
  await stripe.open();
  program = await startProgram(stripe.settings);
  stripe.target = `${program.url}/api/webhooks/stripe`;
  ada = await openBrowser();
});
afterAll(async () => {
  await ada?.close();
  if (program) await discard(program);
  await stripe.close();
});

const picture = (name: string) => takePicture(ada.page, name);
/** Sends a request as the page's person. */
const send = (method: string, path: string, data?: object) =>
  ada.page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(path, { method, headers, ...(body ? { body } : {}) });
      return { status: reply.status, body: await reply.json().catch(() => null) };
    },
    [method, path, data ? JSON.stringify(data) : ''] as const,
  );

test('sign up, exhaust the trial, see the limit, fail with a bad card, pay, and cancel at Stripe', async () => {
  const { page } = ada;
  const who = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@pays.example' };
  await signUp(ada, program.url, { ...who, orgName: 'Acme Success' });
  await page.getByText('Free trial: 14 days left, 10 calls left').waitFor();
  await picture('trial');
  const started = [];
  for (let call = 0; call < 10; call += 1) {
    const room = await send('POST', '/api/rooms', { topic: `Call ${call}` });
    const reply = await send('POST', '/api/calls', { roomId: room.body.id });
    started.push(reply.status);
    await send('PUT', `/api/calls/${reply.body.id}`, { endedAt: new Date().toISOString() });
  }
  expect(started).toEqual(Array(10).fill(201));
  const { body: room } = await send('POST', '/api/rooms', { topic: 'The eleventh' });
  await page.goto(`${program.url}/app/rooms/${room.id}/call`);
  await page
    .getByText(/You’ve used all 5 video calls.*Upgrade in Settings, Billing/)
    .first()
    .waitFor();

  await page.goto(`${program.url}/app`);
  await page.getByText('You’ve used all 5 calls of Starter this month.').waitFor();
  await stubStripeJs(page, stripe);
  await page.getByRole('link', { name: 'Upgrade' }).click();
  await page.getByText('$49.00 per month, until you cancel.').waitFor();
  await picture('form');
  await page.getByLabel('Card number').fill(cards.declined);
  await page.getByRole('button', { name: 'Pay and subscribe' }).click();
  await page.getByText('Payment Failed').first().waitFor();
  await page.getByText('Your card was declined.').first().waitFor();
  await page.getByLabel('Card number').fill(cards.good);
  await page.getByRole('button', { name: 'Pay and subscribe' }).click();
  await page.getByText('Payment Successful').first().waitFor();
  await page.getByText('You are subscribed!').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/settings/billing');
  await page.locator('[aria-current=true]').getByText('$49/month').waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.getByText('Professional Plan').first().waitFor();
  await page.getByText('RPT-0001').waitFor();
  await page.getByRole('button', { name: 'Switch to yearly billing' }).click();
  await page.getByText('Due today').waitFor();
  await page.getByRole('button', { name: 'Confirm and pay $441.00' }).waitFor();
  expect(await axeViolations(page, 'part')).toEqual([]);
  await picture('subscribed');
  await page.route('https://billing.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'The portal' }),
  );
  await page.getByRole('button', { name: 'Manage billing' }).click();
  await page.getByText('The portal').waitFor();
  await page.goBack();

  const [subscription] = stripe.subscriptions.values();
  if (subscription) stripe.setStatus(subscription, 'canceled');
  await stripe.delivered();
  await expect.poll(async () => (await send('GET', '/api/billing')).body.plan).toBe('starter');
  await page.reload();
  await page.locator('[aria-current=true]').getByText('$0/month').waitFor();
  await page.getByText('Free Plan').waitFor();
  await page.getByText('Starter Plan').first().waitFor();
  await page.getByText('Your subscription was canceled.').waitFor();
  await picture('canceled');
  // Signed out at first, and beyond the limit later.
  const pageErrors = ada.complaints.filter((text) => !/status of 40[12]/.test(text));
  expect(pageErrors).toEqual([]);
});

test('a return from 3-D Secure that failed says so, and without Stripe’s network the page says that, too', {
  tags: 'full',
}, async () => {
  const { page } = ada;
  await page.goto(`${program.url}/app/settings/billing?redirect_status=failed&payment_intent=pi_1`);
  await page.getByText('Payment Failed').first().waitFor();
  await page.unroute('https://js.stripe.com/**');
  await page.route('https://js.stripe.com/**', (route) => route.abort());
  await page.goto(`${program.url}/app/settings/billing?pay`);
  await page.getByText('The payment form couldn’t be loaded').waitFor();
  await page.getByText('$199/month').waitFor();
  await stubStripeJs(page, stripe, () => 'succeeded');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Card number').fill(cards.good);
  await page.getByRole('button', { name: 'Pay and subscribe' }).click();
  await page.getByText('You are subscribed!').first().waitFor();
  expect(page.url()).not.toContain('redirect_status');
});

test('a failing server shows Billing Error, and signed out, the page asks to log in and returns', {
  tags: 'full',
}, async () => {
  const { page } = ada;
  const address = `${program.url}/app/settings/billing`;
  await page.route('**/api/billing', (route) => route.abort());
  await page.goto(address);
  await page.getByText('Billing Error').first().waitFor();
  await page
    .getByText('Unable to load billing information. Please try again later.')
    .first()
    .waitFor();
  await page.unroute('**/api/billing');
  // Not by “Try again”: the page may have asked again by then, and needs no button any more.
  await page.goto(address);
  await page.locator('[aria-current=true]').getByText('$49/month').waitFor();
  await ada.context.clearCookies();
  await page.goto(address);
  await page.getByText('Unauthorized', { exact: true }).first().waitFor();
  await page.getByText('Please log in to access billing.').first().waitFor();
  await page.getByLabel('Email').fill('ada@pays.example');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
  expect(page.url()).toBe(address);
});

test('Stripe may be loaded on the billing page only, and nothing but Stripe there', async () => {
  const policy = async (path: string) =>
    (await fetch(`${program.url}${path}`, { headers: { accept: 'text/html' } })).headers.get(
      'content-security-policy',
    ) ?? '';
  expect(await policy('/app')).not.toContain('stripe.com');
  expect(await policy('/')).not.toContain('stripe.com');
  const billing = await policy('/app/settings/billing');
  expect(billing).toMatch(/script-src 'self' https:\/\/js\.stripe\.com/);
  expect(billing).toContain('trusted-types default');
  const refused = await ada.page.evaluate(() => {
    try {
      document.createElement('script').src = 'https://evil.example/x.js';
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toBe(true);
});
