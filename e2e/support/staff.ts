import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from './browser.ts';

/** Fills in the Create Account tab and waits for the dashboard. */
export async function signUp(
  { page }: Person,
  url: string,
  who: { firstName: string; lastName: string; email: string; orgName?: string },
): Promise<void> {
  await page.goto(`${url}/auth?next=/app`);
  await page.getByRole('tab', { name: 'Create Account' }).click();
  await page.getByLabel('First name').fill(who.firstName);
  await page.getByLabel('Last name').fill(who.lastName);
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  if (who.orgName) await page.getByLabel(/Organization Name/).fill(who.orgName);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/app');
}

export async function makePlaybook(
  { page }: Person,
  url: string,
  title: string,
  items: string[],
): Promise<void> {
  await page.goto(`${url}/app/playbooks`);
  await page.getByRole('button', { name: 'Create Playbook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill(title);
  for (const item of items) {
    await dialog.getByLabel('New item').fill(item);
    await dialog.getByLabel('New item').press('Enter');
  }
  await dialog.getByRole('button', { name: 'Create Playbook' }).click();
  await page.getByRole('heading', { name: title }).waitFor();
}

/** Creates a room and waits for its call page. @returns the room's id */
export async function makeRoom(
  { page }: Person,
  url: string,
  topic: string,
  playbook?: string,
): Promise<string> {
  await page.goto(`${url}/app/rooms`);
  await page.getByRole('button', { name: 'Create Room' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Room Topic').fill(topic);
  if (playbook) await choosePlaybook({ page }, playbook);
  await dialog.getByRole('button', { name: 'Create & Join' }).click();
  await page.waitForURL(/\/app\/rooms\/[^/]+\/call$/);
  return page.url().split('/').at(-2) ?? '';
}

async function choosePlaybook({ page }: Pick<Person, 'page'>, playbook: string): Promise<void> {
  const choice = page.getByRole('dialog').getByLabel('Playbook');
  if ((await choice.evaluate((element) => element.tagName)) === 'SELECT') {
    await choice.selectOption({ label: playbook });
    return;
  }
  await choice.click();
  await page.getByRole('option', { name: playbook }).click();
}

/** The meeting page within the call page. */
export function meetingFrame({ page }: Pick<Person, 'page'>) {
  return page.frameLocator('iframe[title="Video call"]');
}

export async function joinFromPreview(person: Person): Promise<void> {
  await meetingFrame(person).getByRole('button', { name: 'Join', exact: true }).click();
}

/** Returns the frame itself, for reading pixels. */
export async function frameOf({ page }: Person) {
  const handle = await page.waitForSelector('iframe[title="Video call"]', { state: 'attached' });
  const frame = await handle.contentFrame();
  if (!frame) throw new Error('the call has no frame');
  return frame;
}

/**
 * Ends a call in which a guest is.
 * @param around what has the button, if the page has several
 */
export async function endForEveryone(page: Page, around: Page | Locator = page): Promise<void> {
  // It has a menu once the page knows of the guest, whom the meeting in its frame may show before.
  const leave = around.getByRole('button', { name: 'Leave Call' });
  await leave.and(around.locator('[aria-haspopup=menu]')).click();
  await page.getByRole('menuitem', { name: 'End for everyone' }).click();
}
