import type { Frame, Page } from 'playwright-core';
import type { ApiUser } from '../../e2e/support/api.ts';
import type { Person } from '../../e2e/support/browser.ts';

/** The other participant's video in the meeting page. */
export const remoteVideo = 'li.tile:not([data-own]) video';
const ownPicture = 'li.tile[data-own] video[data-shown]';

/**
 * Prepares a browser as of a returning person: signed in, and with a previous preview in which a
 * name was given and 'Skip this next time' was checked.
 */
export async function signInAndRemember(
  person: Person,
  user: ApiUser,
  url: string,
  roomId: string,
  guestUrl: string,
): Promise<void> {
  await user.signIn(person);
  const { page } = person;
  await page.goto(guestUrl);
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Skip this next time').check();
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.locator(ownPicture).waitFor();
  // Loads the staff's page once, too, so that its code is in the cache.
  await page.goto(`${url}/app/rooms/${roomId}/call`);
  await inCall(page);
  await page.goto('about:blank');
}

/** Opens a guest's or staff page in a new tab and waits until that person is in the meeting. */
export async function enterCall({ context }: Person, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await inCall(page);
  return page;
}

async function inCall(page: Page): Promise<void> {
  const where = page.url().includes('/join/') ? page : await callFrame(page);
  await where.locator(ownPicture).waitFor();
}

async function callFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe.call-frame', { state: 'attached' });
  const frame = await element.contentFrame();
  if (!frame) throw new Error('the call has no frame');
  return frame;
}
