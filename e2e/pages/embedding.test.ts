import { readFileSync } from 'node:fs';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { joinFromPreview, meetingFrame } from '../support/staff.ts';

const [listed, other] = ['https://shop.example', 'https://other.example'];
const program = sharedProgram();
let ada: Person;
let bo: Person;
beforeAll(async () => {
  ada = await openBrowser();
  // In the shell, the event of a used token did not arrive.
  bo = await openBrowser({ noThirdPartyCookies: true, windows: true });
});
afterAll(async () => {
  await ada?.close();
  await bo?.close();
});

/** Opens a page of another site that shows `src` in a frame. */
async function visit(origin: string, src: string): Promise<FrameLocator> {
  // Rapport runs on this machine; Chromium requires a permission before a public site may access
  // it.
  await bo.context.grantPermissions(['local-network-access'], { origin });
  const body = `<!doctype html><title>Shop</title><iframe src="${src}" width="1000" height="700"
    allow="camera; microphone; screen-wake-lock; local-network-access"></iframe>`;
  await bo.context.route(`${origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  );
  await bo.page.goto(`${origin}/call?${Date.now()}`);
  return bo.page.frameLocator('iframe');
}

test('a guest joins a call within a site that an admin has listed, and within no other', {
  tags: 'full',
}, async () => {
  const { user, guestUrl } = await prepareRoom(program.url, 'Kick-off');
  await user.signIn(ada);
  const { page } = ada;

  await page.goto(`${program.url}/app/settings/embedding`);
  const sites = page.getByLabel('Sites that can embed your calls');
  await sites.fill('http://shop.example');
  await page.getByRole('button', { name: 'Save sites' }).click();
  await page.getByText('Enter each URL like https://www.example.com').waitFor();
  await sites.fill(`${listed}/`);
  await page.getByRole('button', { name: 'Save sites' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await expect.poll(() => sites.inputValue()).toBe(listed);
  expect(await axeViolations(page)).toEqual([]);

  const inside = await visit(listed, guestUrl);
  await inside.getByLabel('Your name').fill('Bo');
  await inside.getByRole('button', { name: 'Join', exact: true }).click();
  await inside.getByText('You’re the only one here').waitFor();
  expect(bo.complaints).toEqual([]);

  const refused = bo.page.waitForEvent('console', (message) =>
    message.text().includes('frame-ancestors'),
  );
  await visit(other, guestUrl);
  await refused;
  expect(ada.complaints).toEqual([]);
});

const demo = readFileSync('sdk/embed/demo/index.html', 'utf8');

/** Opens the demo page on another origin. */
async function openDemo(origin: string, attributes: Record<string, string>): Promise<FrameLocator> {
  await bo.context.grantPermissions(['local-network-access'], { origin });
  await bo.context.unroute(`${origin}/**`);
  await bo.context.route(`${origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: demo }),
  );
  await bo.page.goto(
    `${origin}/demo?${new URLSearchParams({ server: program.url, ...attributes })}`,
  );
  return bo.page.frameLocator('rapport-room iframe');
}
const command = (name: string) => bo.page.getByRole('button', { name, exact: true }).click();
const hears = (event: string | RegExp) =>
  bo.page.locator('#events li').getByText(event).last().waitFor();
const mintToken = ({ user, roomId }: Prepared, more = {}) =>
  user.send<{ token: string }>('POST', `/api/rooms/${roomId}/embed-tokens`, {
    displayName: 'Bo Marsh',
    ...more,
  });

test('a page on another origin holds a call: its person joins by name, it hears events, and its commands work', async () => {
  const prepared = await prepareRoom(program.url, 'Embedded');
  const { user, roomId } = prepared;
  await user.send('PUT', '/api/embedding', { origins: [listed] });
  await user.send('PATCH', `/api/rooms/${roomId}`, { lobby: true });
  await ada.context.clearCookies();
  await user.signIn(ada);
  await ada.page.goto(`${program.url}/app/rooms/${roomId}/call`);
  await joinFromPreview(ada);
  await meetingFrame(ada).getByText('You’re the only one here').waitFor();

  const { token } = await mintToken(prepared, { admitted: true });
  const inside = await openDemo(listed, { room: roomId, token });
  await inside.getByText('You’ll join as Bo Marsh.').waitFor();
  expect(await inside.getByLabel('Your name').count()).toBe(0);
  await inside.getByRole('button', { name: 'Join', exact: true }).click();
  await hears(/^joined {"participants":\[{"id":"[^"]+","name":"Ada Lovelace"}\]}$/);
  await meetingFrame(ada).getByText('Bo Marsh').first().waitFor();

  await command('Mute');
  await hears('microphone {"on":false}');
  await inside.getByRole('button', { name: 'Unmute' }).waitFor();
  await command('Unmute');
  await hears('microphone {"on":true}');
  // Nobody but the element is heard: here, the page itself speaks to the frame.
  await bo.page.evaluate(() => {
    const frame = document.querySelector('rapport-room')?.shadowRoot?.querySelector('iframe');
    frame?.contentWindow?.postMessage({ type: 'leave' }, '*');
    const forged = { rapport: 'embed', type: 'ready', version: 9 };
    window.postMessage(forged, '*');
  });
  await command('Remove');
  await hears('left {"reason":"removed"}');
  await meetingFrame(ada).getByText('You’re the only one here').waitFor();

  // Used up: the frame says so, and so does the event.
  await openDemo(listed, { room: roomId, token });
  await hears(/^error {"code":"embed_token_used"/);
  const { token: second } = await mintToken(prepared, { admitted: true });
  const again = await openDemo(listed, { room: roomId, token: second });
  await again.getByRole('button', { name: 'Join', exact: true }).click();
  await hears(/^joined/);
  await command('Leave');
  await hears('left {"reason":"left"}');
  // The call needs no cookie: this browser has stored none.
  expect(await bo.context.cookies(program.url)).toEqual([]);
  expect(bo.complaints.filter((line) => !/frame-ancestors|status of 410/.test(line))).toEqual([]);

  const refused = bo.page.waitForEvent('console', (message) =>
    message.text().includes('frame-ancestors'),
  );
  const { token: third } = await mintToken(prepared);
  await openDemo(other, { room: roomId, token: third });
  await refused;
  expect(await bo.page.locator('#events li').count()).toBe(0);
});
