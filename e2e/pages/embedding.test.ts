import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';

const [listed, other] = ['https://shop.example', 'https://other.example'];
const program = sharedProgram();
let ada: Person;
let bo: Person;
beforeAll(async () => {
  ada = await openBrowser();
  bo = await openBrowser();
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

test('a guest joins a call within a site that an admin has listed, and within no other', async () => {
  const { user, guestUrl } = await prepareRoom(program.url, 'Kick-off');
  await user.signIn(ada);
  const { page } = ada;

  await page.goto(`${program.url}/app/settings/security`);
  const sites = page.getByLabel('Sites that can embed your guest pages');
  await sites.fill('http://shop.example');
  await page.getByRole('button', { name: 'Save sites' }).click();
  await page.getByText('Enter each URL like https://www.example.com').waitFor();
  await sites.fill(`${listed}/`);
  await page.getByRole('button', { name: 'Save sites' }).click();
  await page.getByRole('region', { name: 'Embed code' }).waitFor();
  expect(await sites.inputValue()).toBe(listed);
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
