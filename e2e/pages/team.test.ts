import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { signUp } from '../support/staff.ts';

const grace = { email: 'grace@team.example', password: 'very long', changed: 'changed it' };
/** A folder for screenshots of the pages. */
const pictures = process.env.PICTURES;
const program = sharedProgram();
let admin: Person;
let invited: Person;

beforeAll(async () => {
  admin = await openBrowser();
  invited = await openBrowser({ width: 390, height: 844, dark: true });
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await admin?.close();
  await invited?.close();
});

async function picture({ page }: Person, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

async function signIn({ page }: Person, password: string): Promise<void> {
  await page.goto(`${program.url}/auth?next=/app`);
  await page.getByLabel('Email').fill(grace.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** Waits for the newest link of this kind to Grace in the outbox. Emails are quoted-printable. */
async function mailedLink(kind: string): Promise<string> {
  const find = () => {
    const folder = join(program.dataDir, 'outbox');
    const mails = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    const texts = mails.sort().map((name) =>
      readFileSync(join(folder, name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '='),
    );
    const hers = texts.filter((text) => text.includes(grace.email));
    return hers.flatMap((text) => text.match(new RegExp(`http\\S+/${kind}/[\\w-]+`)) ?? []).at(-1);
  };
  await expect.poll(find).toBeTruthy();
  return find() ?? '';
}

test('an admin invites a person, who follows the link and signs in', async () => {
  const { page } = admin;
  await signUp(admin, program.url, {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@team.example',
    orgName: 'Acme Success',
  });
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('button', { name: 'Invite Member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(grace.email);
  await picture(admin, 'invite-form');
  await dialog.getByRole('button', { name: 'Send Invitation' }).click();
  await page.getByText('Invitation sent successfully').first().waitFor();
  await dialog.getByText(/Email isn’t set up yet/).waitFor();
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').first().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(await mailedLink('invite'));
  await picture(admin, 'invite-link');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('table', { name: 'Pending invitations' }).getByText(grace.email).waitFor();
  await picture(admin, 'team-pending');

  const guest = invited.page;
  await guest.goto(link);
  await guest.getByRole('heading', { name: 'Join Your Team' }).waitFor();
  await expect.poll(() => guest.getByLabel('Email Address').inputValue()).toBe(grace.email);
  await picture(invited, 'invitation-dark');
  await guest.getByLabel('First Name').fill('Grace');
  await guest.getByLabel('Last Name').fill('Hopper');
  await guest.getByLabel('Password', { exact: true }).fill(grace.password);
  await guest.getByRole('button', { name: 'Accept Invitation' }).click();
  await guest.getByText('Your account has been created. Please log in.').first().waitFor();
  await guest.waitForURL('**/auth?next=/app');
  await signIn(invited, grace.password);
  await guest.getByRole('heading', { name: 'Dashboard' }).waitFor();

  await guest.goto(link);
  await guest.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
});

test('an agent sees the team, but neither controls nor the audit log', async () => {
  const { page } = invited;
  await page.goto(`${program.url}/settings/team`);
  await page.getByRole('table', { name: 'Members' }).getByText('ada@team.example').waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/settings/team');
  await expect.poll(() => page.getByText('Invite Member').count()).toBe(0);
  await expect.poll(() => page.getByText('Administration').count()).toBe(0);
  await picture(invited, 'team-agent-dark');
  await page.goto(`${program.url}/app/settings/audit-logs`);
  await page.getByText('Access Denied').waitFor();
  await picture(invited, 'denied-dark');
});

test('a person who forgot the password sets a new one by the mailed link', async () => {
  const { page, context } = invited;
  await context.clearCookies();
  await page.goto(`${program.url}/auth`);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset Password' });
  await dialog.getByLabel('Email').fill(grace.email);
  await picture(invited, 'forgot-dark');
  await dialog.getByRole('button', { name: 'Send Reset Link' }).click();
  await page.getByText('Email sent').first().waitFor();
  await dialog.waitFor({ state: 'detached' });

  await page.goto(await mailedLink('reset-password'));
  await page.getByLabel('New Password').fill(grace.changed);
  await page.getByLabel('Confirm Password').fill(grace.changed);
  await picture(invited, 'reset-dark');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByRole('heading', { name: 'Password Reset Successful!' }).waitFor();
  await page.waitForURL('**/auth?next=/app', { timeout: 5000 });
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(grace.email);
  await signIn(invited, grace.password);
  await page.getByText('Login failed').first().waitFor();
  await signIn(invited, grace.changed);
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});

test('an admin changes the role, removes the member, and sees both in the audit log', async () => {
  const { page } = admin;
  await page.goto(`${program.url}/app/settings/team`);
  const row = page.getByRole('row', { name: grace.email });
  await row.getByLabel(`Role of ${grace.email}`).selectOption({ label: 'Viewer' });
  await page.getByText('User role updated').first().waitFor();
  await row.locator('[data-look="outline"]', { hasText: 'Viewer' }).waitFor();
  await picture(admin, 'team');
  await row.getByRole('button', { name: `Remove ${grace.email}` }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText(`This will remove ${grace.email} from your organization.`).waitFor();
  await picture(admin, 'remove');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('User removed from organization').first().waitFor();
  await row.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Audit Logs' }).click();
  const log = page.getByRole('table', { name: 'Recent Activity' });
  for (const action of [
    'USER INVITED',
    'INVITATION ACCEPTED',
    'ROLE UPDATED',
    'MEMBER REMOVED',
    'ORGANIZATION CREATED',
  ])
    await log.getByText(action).waitFor();
  const changed = log.getByRole('row', { name: 'ROLE UPDATED' });
  await changed.getByText('View metadata').click();
  await changed.getByText('"to": "VIEWER"').waitFor();
  await picture(admin, 'audit');
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(admin, 'audit-narrow');
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);

  // Removal ends the sessions; the account stays.
  await invited.page.goto(`${program.url}/app`);
  await invited.page.waitForURL('**/auth?next=**');
  await signIn(invited, grace.changed);
  await invited.page.getByText('You’re not in an organization').waitFor();
});
