import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookies } from '#domain/privacy/cookies.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { signUp } from '../support/staff.ts';

/** A folder for screenshots of the pages. */
const pictures = process.env.PICTURES;
const program = sharedProgram();
let ada: Person;
beforeAll(async () => {
  ada = await openBrowser();
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(() => ada?.close());

async function picture(name: string): Promise<void> {
  if (!pictures) return;
  for (const [width, scheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await ada.page.setViewportSize({ width, height: 900 });
    await ada.page.emulateMedia({ colorScheme: scheme });
    await ada.page.screenshot({
      path: join(pictures, `${name}-${width}-${scheme}.png`),
      fullPage: true,
    });
  }
  await ada.page.setViewportSize({ width: 1280, height: 900 });
  await ada.page.emulateMedia({ colorScheme: 'light' });
}

test('an admin filters the log, sets retention periods, and cancels a deletion', async () => {
  const { page } = ada;
  await signUp(ada, program.url, {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@privacy.example',
    orgName: 'Acme Success',
  });
  await page.goto(`${program.url}/app/settings/audit-logs`);
  await page.getByLabel('Action', { exact: true }).selectOption('ORGANIZATION_CREATED');
  await expect.poll(() => page.url()).toContain('action=ORGANIZATION_CREATED');
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await picture('audit');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  expect((await download).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);

  await page.goto(`${program.url}/app/settings/privacy`);
  await page.getByLabel('Call chats').fill('90');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Retention saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete organization...' }).click();
  await page.getByLabel('Organization name').fill('Acme Success');
  await page.getByRole('button', { name: 'Delete in seven days' }).click();
  await page.getByText('This organization will be deleted on').waitFor();
  await picture('privacy');
  await page.getByRole('button', { name: 'Cancel deletion' }).click();
  await page.getByRole('button', { name: 'Delete organization...' }).waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Call chats').inputValue()).toBe('90');
});

test('on all pages only the listed, strictly necessary cookies are set', async () => {
  const { page } = ada;
  const paths = [
    '/',
    '/features',
    '/contact',
    '/app',
    '/app/rooms',
    '/app/playbooks',
    '/app/analytics',
  ];
  const settings = ['', '/profile', '/billing', '/team', '/audit-logs', '/privacy', '/sso'];
  for (const path of [...paths, ...settings.map((name) => `/app/settings${name}`)]) {
    await page.goto(program.url + path);
    await page.locator('h1').first().waitFor();
  }
  await picture('last');
  const names = (await page.context().cookies()).map(({ name }) => name);
  const listed: string[] = cookies.map(({ name }) => name);
  expect(names.filter((name) => !listed.includes(name))).toEqual([]);
  expect(names).toContain('rapport_session');
});
