import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { signUp } from '../support/staff.ts';

const program = sharedProgram();
let ada: Person;

beforeAll(async () => {
  ada = await openBrowser();
  const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@shell.example' };
  await signUp(ada, program.url, person);
});
afterAll(() => ada?.close());

test('below 768 px the sidebar is a drawer with a menu button, closed by its overlay', async () => {
  const { page } = ada;
  const sidebar = page.getByRole('complementary');
  const menu = page.getByRole('button', { name: 'Open menu' });
  await page.setViewportSize({ width: 768, height: 800 });
  await sidebar.waitFor();
  await expect.poll(() => menu.isVisible()).toBe(false);
  await page.setViewportSize({ width: 767, height: 800 });
  await sidebar.waitFor({ state: 'hidden' });
  await menu.click();
  const drawer = page.getByRole('dialog', { name: 'Main navigation' });
  await drawer.getByRole('link', { name: 'Rooms' }).waitFor();
  await page.mouse.click(740, 400);
  await drawer.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).pathname).toBe('/app');
  // The account menu opens over the drawer, and a link in it navigates and closes both.
  await menu.click();
  await drawer.getByRole('button', { name: /Account menu/ }).click();
  await drawer.getByRole('menuitem', { name: 'Your profile' }).click();
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();
  await drawer.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1280, height: 800 });
});

/** Saves the name, which shows a toast. */
async function raiseToast({ page }: Person) {
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
  await toast.getByText('Profile updated').waitFor();
  return toast;
}

async function drag({ page }: Person, on: Awaited<ReturnType<typeof raiseToast>>, by: number) {
  await on.hover();
  const box = await on.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let at = 0; at < by; at += 5) await page.mouse.move(x + at, y);
  await page.mouse.move(x + by, y);
  await page.mouse.up();
}

test('a toast is dismissed by a swipe of 50 px to the right, and not by less; F8 focuses it', async () => {
  const { page } = ada;
  const toast = await raiseToast(ada);
  expect((await toast.boundingBox())?.width).toBeLessThanOrEqual(420);
  await page.keyboard.press('F8');
  expect(
    await page.evaluate(() => document.activeElement?.closest('[role=region]')?.ariaLabel),
  ).toMatch(/^Notifications/);
  await drag(ada, toast, 45);
  await expect.poll(() => toast.count()).toBe(1);
  await drag(ada, toast, 60);
  await toast.waitFor({ state: 'detached' });
});

test('after logging out the browser is at /, and the shell asks to sign in again', async () => {
  const { page } = ada;
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/app'));
  await page.goto(`${program.url}/app`);
  await page.waitForURL(/\/auth\?next=%2Fapp$/);
});
