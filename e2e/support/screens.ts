import type { Person } from './browser.ts';

type Page = Person['page'];
interface Screen {
  name: string;
  path: string;
  /** A text that shows once the screen has loaded. */
  seen: string;
  /** Opens the dialog or menu that this screen is about. */
  open?: (page: Page) => Promise<void>;
  /** The button that has the focus again after Escape. */
  returnsTo?: string | RegExp;
}

/** Clicks a button, the first of that name, and waits for its dialog. */
const dialogOf = (button: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
};
/** Opens a card's menu and chooses one of its items. */
const fromMenu = (item: string) => async (page: Page) => {
  await page
    .getByRole('button', { name: /^More options for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
};
const narrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;

const dashboard = { path: '/app', seen: 'Recent Calls' };
const rooms = { path: '/app/rooms', seen: 'Join Call' };
const playbooks = { path: '/app/playbooks', seen: 'Onboarding kickoff' };
const team = { path: '/app/settings/team', seen: 'Pending invitations' };
/** Every page of the app with its dialogs and menus, as an admin of the demo sees it. */
export const screens: Screen[] = [
  { name: 'dashboard', ...dashboard },
  {
    name: 'a call’s page',
    ...dashboard,
    open: async (page) => {
      await page
        .getByRole('link', { name: /^View the call/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Scores and feedback' }).waitFor();
    },
  },
  {
    name: 'dashboard: a new room',
    ...dashboard,
    open: dialogOf('Create Room'),
    returnsTo: 'Create Room',
  },
  {
    name: 'palette',
    ...dashboard,
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.type('onb');
      await page
        .getByRole('option', { name: /onboarding/i })
        .first()
        .waitFor();
    },
  },
  {
    name: 'dashboard: a new room without a topic',
    ...dashboard,
    open: async (page) => {
      await dialogOf('Create Room')(page);
      await page.getByRole('button', { name: 'Create & Join' }).click();
      await page.getByText('Topic is required').waitFor();
    },
  },
  {
    name: 'menu of the account, in the drawer where it is narrow',
    ...dashboard,
    open: async (page) => {
      if (narrow(page)) await page.getByRole('button', { name: 'Open menu' }).click();
      await page
        .getByRole('button', { name: /Account menu/ })
        .last()
        .click();
      await page.getByRole('menuitem', { name: 'Your profile' }).waitFor();
    },
  },
  { name: 'rooms', ...rooms },
  { name: 'rooms: editing', ...rooms, open: fromMenu('Edit'), returnsTo: /^More options for/ },
  { name: 'rooms: archiving', ...rooms, open: fromMenu('Archive'), returnsTo: /^More options for/ },
  { name: 'rooms: a new link', ...rooms, open: dialogOf('Renew link'), returnsTo: 'Renew link' },
  {
    name: 'archived rooms',
    ...rooms,
    open: async (page) => {
      await page.getByText('Archived', { exact: true }).click();
      await page.getByText('No archived rooms').waitFor();
    },
  },
  {
    name: 'a room',
    ...rooms,
    open: async (page) => {
      await page.getByRole('heading', { level: 2 }).getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Guest links' }).waitFor();
      await page.getByRole('table').waitFor();
    },
  },
  { name: 'playbooks', ...playbooks },
  {
    name: 'a playbook',
    ...playbooks,
    open: async (page) => {
      await page.getByRole('heading', { level: 2 }).getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Steps' }).waitFor();
      await page.getByRole('heading', { name: 'Rooms with this playbook' }).waitFor();
    },
  },
  {
    name: 'getting started',
    path: '/app?start',
    seen: 'Test devices',
    open: (page) => page.getByText('Copy guest link').first().waitFor(),
  },
  { name: 'devices', path: '/app/devices', seen: 'Connection' },
  {
    name: 'playbooks: templates',
    ...playbooks,
    open: async (page) => {
      await dialogOf('Templates')(page);
      await page.getByRole('dialog').getByText('8 steps').first().click();
    },
    returnsTo: 'Templates',
  },
  {
    name: 'playbooks: editing',
    ...playbooks,
    open: fromMenu('Edit'),
    returnsTo: /^More options for/,
  },
  {
    name: 'a new playbook with something missing',
    ...playbooks,
    open: async (page) => {
      await dialogOf('Create Playbook')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Create Playbook' }).click();
      await page.getByText('Title is required').waitFor();
    },
  },
  { name: 'search', path: '/app/search?q=zzzzqqqq', seen: 'Nothing found' },
  { name: 'analytics', path: '/app/analytics', seen: 'Promoters' },
  {
    name: 'analytics of chosen days, filtered and sorted',
    path: '/app/analytics?period=custom&from=2020-01-01&score=promoters&sort=highest',
    seen: 'Only calls with a score are listed.',
  },
  {
    name: 'analytics as tables',
    path: '/app/analytics',
    seen: 'Promoters',
    open: async (page) => {
      const asTable = page.getByRole('button', { name: /^Show as table/ });
      while ((await asTable.count()) > 0) await asTable.first().click();
    },
  },
  { name: 'settings', path: '/app/settings', seen: 'Integrations' },
  {
    name: 'settings: an integration',
    path: '/app/settings',
    seen: 'Integrations',
    open: dialogOf('Connect HubSpot'),
    returnsTo: 'Connect HubSpot',
  },
  { name: 'AI settings', path: '/app/settings/ai', seen: 'The built-in analyzer reads your calls' },
  {
    name: 'notifications',
    path: '/app/settings/notifications',
    seen: 'No Slack channels yet',
  },
  {
    name: 'notifications: adding a Slack channel',
    path: '/app/settings/notifications',
    seen: 'No Slack channels yet',
    open: dialogOf('Add channel'),
    returnsTo: 'Add channel',
  },
  { name: 'webhooks', path: '/app/settings/webhooks', seen: 'No webhooks yet' },
  {
    name: 'webhooks: adding one',
    path: '/app/settings/webhooks',
    seen: 'No webhooks yet',
    open: dialogOf('Add webhook'),
    returnsTo: 'Add webhook',
  },
  { name: 'API tokens', path: '/app/settings/api', seen: 'Your tokens' },
  {
    name: 'API tokens: making one',
    path: '/app/settings/api',
    seen: 'Your tokens',
    open: dialogOf('New token'),
    returnsTo: 'New token',
  },
  { name: 'embedding', path: '/app/settings/embedding', seen: 'Sites that can embed your calls' },
  { name: 'security', path: '/app/settings/security', seen: 'Require two-factor sign-in' },
  { name: 'single sign-on', path: '/app/settings/sso', seen: 'Email domains' },
  { name: 'provisioning', path: '/app/settings/provisioning', seen: 'Connect your directory' },
  { name: 'privacy', path: '/app/settings/privacy', seen: 'Data retention' },
  { name: 'a room that is gone', path: '/app/rooms/nowhere', seen: 'This room doesn’t exist' },
  { name: 'profile', path: '/app/settings/profile', seen: 'This browser' },
  { name: 'team', ...team },
  { name: 'team: inviting', ...team, open: dialogOf('Invite Member'), returnsTo: 'Invite Member' },
  { name: 'team: removing', ...team, open: dialogOf(/^Remove /), returnsTo: /^Remove / },
  { name: 'billing', path: '/app/settings/billing', seen: 'Account status' },
  { name: 'audit logs', path: '/app/settings/audit-logs', seen: 'View metadata' },
  {
    name: 'audit logs: metadata',
    path: '/app/settings/audit-logs',
    seen: 'View metadata',
    open: (page) => page.getByText('View metadata').first().click(),
  },
  { name: 'a path that leads nowhere', path: '/app/nowhere', seen: '404 Page Not Found' },
];
