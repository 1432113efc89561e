import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFullRun } from '#server/testing/full-run.ts';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';

const pictures = process.env.PICTURES;
const folder = mkdtempSync(join(tmpdir(), 'rapport-logos-'));
const file = (name: string) => join(folder, name);
const program = sharedProgram();
let prepared: Prepared;
let admin: Person;
let guest: Person;

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Branding');
  admin = await openBrowser({ devices: 'none' });
  guest = await openBrowser({ width: 390, height: 844, dark: true });
  await prepared.user.signIn(admin);
  if (pictures) mkdirSync(pictures, { recursive: true });
  const mark = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="96"><script>window.hit = 1</script>
    <rect x="4" y="8" width="80" height="80" rx="18" fill="#0f766e"/><circle cx="44" cy="48" r="20" fill="#facc15"/>
    <rect x="104" y="30" width="200" height="36" rx="8" fill="#12161f"/></svg>`;
  writeFileSync(file('logo.svg'), mark);
  writeFileSync(file('fake.png'), '<html><script>window.hit = 1</script></html>');
  const photo = sharp({ create: { width: 800, height: 400, channels: 3, background: '#c2410c' } });
  await photo.png().toFile(file('logo.png'));
});
afterAll(async () => {
  await admin?.close();
  await guest?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function picture({ page }: Person, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

async function faults({ page }: Person, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  return axeViolations(page);
}

const logoIn = (person: Person, place: string) =>
  person.page.locator(`${place} img[src^="/logos/"]`);
/** Waits until the image has loaded and is visible. */
const isShown = async (person: Person, place: string) => {
  await logoIn(person, place).first().waitFor();
  await expect
    .poll(() =>
      logoIn(person, place)
        .first()
        .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
    )
    .toBe(true);
};

test('a logo is chosen with the keyboard, shown immediately, and appears in the sidebar', async () => {
  const { page } = admin;
  await page.goto(`${program.url}/app/settings`);
  const button = page.getByRole('button', { name: 'Upload logo' });
  // Afterwards nothing moves the focus.
  await button.waitFor();
  await page.waitForLoadState('networkidle');
  const chooser = page.waitForEvent('filechooser');
  await button.press('Enter');
  await (await chooser).setFiles(file('logo.svg'));
  await page.getByText('Logo saved').first().waitFor();
  await isShown(admin, 'aside');
  await isShown(admin, 'main');
  await page.reload();
  await page.getByRole('button', { name: 'Upload logo' }).waitFor();
  await isShown(admin, 'aside');
  await picture(admin, 'settings');
});

test('an HTML file named as an image is refused with a message, and the logo stays', async () => {
  const { page } = admin;
  const before = await logoIn(admin, 'aside').getAttribute('src');
  await page.getByLabel('Choose a logo').setInputFiles(file('fake.png'));
  await page.getByText('Please choose a PNG, JPEG, WebP or SVG file.').waitFor();
  await expect.poll(() => logoIn(admin, 'aside').getAttribute('src')).toBe(before);
});

test('a dropped file becomes the logo, and the previous one is deleted', async () => {
  const { page } = admin;
  const before = await logoIn(admin, 'aside').getAttribute('src');
  const bytes = readFileSync(file('logo.png')).toString('base64');
  const data = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer();
    const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    transfer.items.add(new File([content], 'logo.png', { type: 'image/png' }));
    return transfer;
  }, bytes);
  const region = page.getByRole('region', { name: 'Logo' });
  await region.dispatchEvent('dragover', { dataTransfer: data });
  await region.dispatchEvent('drop', { dataTransfer: data });
  await page.getByText('Logo saved').first().waitFor();
  await expect.poll(() => logoIn(admin, 'aside').getAttribute('src')).not.toBe(before);
  expect((await fetch(`${program.url}${before}`)).status).toBe(404);
});

test('an API client that sends 20 MB gets 413', async () => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(20_000_000)], 'big.png'));
  const me = await prepared.user.send<{ orgId: string }>('GET', '/api/user');
  const cookie = (await admin.context.cookies()).map(({ name, value }) => `${name}=${value}`);
  const answer = await fetch(`${program.url}/api/organizations/${me.orgId}/logo`, {
    method: 'POST',
    headers: { cookie: cookie.join('; ') },
    body: form,
  });
  expect(answer.status).toBe(413);
});

test('the call shows the organization’s name, logo and color', async () => {
  await prepared.user.send('PUT', await organizationPath(), {
    name: 'Acme Success',
    brandColor: '#facc15',
    plan: 'starter',
  });
  const { page } = admin;
  await page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  await isShown(admin, 'header');
  await page.locator('header').getByText('Acme Success').waitFor();
  await picture(admin, 'call');
});

test('the guest sees them before joining and in the meeting, on a phone in dark mode', async () => {
  const { page } = guest;
  await page.goto(prepared.guestUrl);
  await isShown(guest, '.preview');
  await picture(guest, 'guest-preview');
  expect(await faults(guest, 'dark')).toEqual([]);
  expect(await faults(guest, 'light')).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByLabel('Your name').fill('Grace');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await isShown(guest, '.meeting');
  await picture(guest, 'guest-meeting');
  expect(await page.evaluate('window.hit')).toBe(undefined);
});

test.each(inFullRun(['#ffffff', '#ffff00', '#000000', '#808080', '#ff0000'], ['#ffff00']))(
  'with the color %s every text of settings is legible, in both themes',
  async (brandColor) => {
    await prepared.user.send('PUT', await organizationPath(), {
      name: 'Acme Success',
      brandColor,
      plan: 'starter',
    });
    const { page } = admin;
    await page.goto(`${program.url}/app/settings`);
    await page.getByRole('button', { name: 'Upload logo' }).waitFor();
    await page.locator(`:root[style*="${brandColor}"]`).waitFor({ state: 'attached' });
    for (const theme of ['light', 'dark'] as const) {
      expect(await faults(admin, theme)).toEqual([]);
      await picture(admin, `settings-${brandColor.slice(1)}-${theme}`);
    }
  },
);

test('the contrast check detects illegible text: white on yellow', async () => {
  const { page } = admin;
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--brand', '#ffff00');
    document.documentElement.style.setProperty('--brand-text', '#ffffff');
  });
  expect((await faults(admin, 'light')).join()).toContain('color-contrast');
  await page.reload();
});

test('an invitation email contains the logo itself, so that reading it loads nothing', async () => {
  await prepared.user.send('POST', '/api/users/invite', {
    email: 'grace@brand.example',
    role: 'AGENT',
  });
  const outbox = join(program.dataDir, 'outbox');
  const mailTo = (address: string) =>
    readdirSync(outbox, { withFileTypes: true })
      .filter(({ name }) => name.endsWith('.eml'))
      .map(({ name }) => readFileSync(join(outbox, name), 'utf8').replaceAll(/=\r?\n/g, ''))
      .find((mail) => mail.includes(`To: ${address}`));
  await expect.poll(() => mailTo('grace@brand.example')).toBeTruthy();
  const mail = mailTo('grace@brand.example') ?? '';
  const logo = /src=(?:3D)?"cid:([^"]+)"/.exec(mail)?.[1];
  expect(mail.toLowerCase()).toContain(`content-id: <${logo}>`);
  expect(mail).toContain('Content-Type: image/png');
  expect(mail).not.toMatch(/src=(3D)?"http/);
});

test('a removed logo disappears everywhere, and its address answers 404', {
  tags: 'full',
}, async () => {
  const { page } = admin;
  const before = await logoIn(admin, 'aside').getAttribute('src');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Logo removed').first().waitFor();
  await expect.poll(() => logoIn(admin, 'aside').count()).toBe(0);
  expect((await fetch(`${program.url}${before}`)).status).toBe(404);
});

async function organizationPath(): Promise<string> {
  const { orgId } = await prepared.user.send<{ orgId: string }>('GET', '/api/user');
  return `/api/organizations/${orgId}`;
}

test('the browser consoles have no errors', () => {
  const own = [...admin.complaints, ...guest.complaints].filter((line) => !/ 415 /.test(line));
  expect(own).toEqual([]);
});
