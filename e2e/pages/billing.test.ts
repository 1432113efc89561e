import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiUser } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';

const pictures = process.env.PICTURES;
const program = sharedProgram();
let desk: Person;
let phone: Person;
let user: ApiUser;

beforeAll(async () => {
  desk = await openBrowser();
  phone = await openBrowser({ width: 390, height: 844, dark: true });
  user = new ApiUser(program.url);
  await user.send('POST', '/api/register', {
    email: 'ada@billing.example',
    password: 'correct horse',
    firstName: 'Ada',
    lastName: 'Lovelace',
    orgName: 'Acme Success',
  });
  await user.signIn(desk);
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await desk?.close();
  await phone?.close();
});

async function picture({ page }: Person, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

test('billing is linked from Settings, and shows plan and usage, no trial, and that there is nothing to pay', async () => {
  const { page } = desk;
  await page.goto(`${program.url}/app`);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('main').getByRole('link', { name: 'Billing' }).click();
  await page.getByText('Billing isn’t set up').waitFor();
  await page.getByText('0 (unlimited)').waitFor();
  expect(await page.getByText('Free trial').count()).toBe(0);
  await page.getByText('Starter Plan').first().waitFor();
  await picture(desk, 'billing-light');
});

test('a started call counts; a plan that is chosen in Settings is the current one', async () => {
  const { page } = desk;
  const room = await user.send<{ id: string }>('POST', '/api/rooms', { topic: 'Kick-off' });
  await user.send('POST', '/api/calls', { roomId: room.id });
  await page.reload();
  await page.getByText('1 (unlimited)').waitFor();
  await page.getByRole('link', { name: 'Change plan in Settings' }).click();
  await page.getByLabel('Plan', { exact: true }).selectOption('professional');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Professional Plan').first().waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Billing' }).click();
  await page.locator('[aria-current=true]').getByText('$49/month').waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  await picture(desk, 'billing-professional');
});

test('the page is legible in both themes, also on a phone, and nothing is cut off', async () => {
  await user.signIn(phone);
  await phone.page.goto(`${program.url}/app/settings/billing`);
  for (const person of [desk, phone]) {
    await person.page.getByText('$199/month').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await person.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await axeViolations(person.page, colorScheme === 'light' ? 'part' : 'colors')).toEqual(
        [],
      );
      await picture(person, `billing-${person === phone ? 'phone' : 'desk'}-${colorScheme}`);
    }
    const overflow = await person.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }
});
