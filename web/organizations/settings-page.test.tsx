// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router';
import { expect, test } from 'vitest';
import type { Role } from '#domain/auth/permissions.ts';
import { SettingsPage } from '#web/organizations/settings-page.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId, toastLook } from '#web/testing/show.tsx';

const path = `/api/organizations/${someId(2)}`;
const organization = {
  id: someId(2),
  name: 'Analytical Engines',
  brandColor: '#facc15',
  plan: 'starter',
  logoUrl: null,
};
const refusedText =
  "You don't have permission to modify organization settings. Contact your organization admin.";

const absent = {
  id: null,
  state: 'unavailable',
  accountName: null,
  attention: null,
  settings: null,
};
const counts = { waitingCount: 0, failedCount: 0 };
const unavailable = ['hubspot', 'salesforce'].map((vendor) => ({ vendor, ...absent, ...counts }));

async function open(
  role: Role = 'ORGADMIN',
  put: object = { ...organization, name: 'Engines' },
  crms: object = unavailable,
) {
  const asked = fakeServer({
    [`GET ${path}`]: organization,
    [`PUT ${path}`]: put,
    'GET /api/crm-connections': crms,
    [`GET ${path}/waiting-text`]: { waitingText: null },
    'GET /api/user': { ...ada, role },
  });
  const ui = (
    <>
      <SettingsPage />
      <Link to="/app/rooms">Rooms</Link>
    </>
  );
  const { by } = show(ui, { path: '/app/settings', user: { ...ada, role } });
  const name = await screen.findByLabelText<HTMLInputElement>('Organization name');
  const color = screen.getByLabelText<HTMLInputElement>('Brand color');
  const puts = () => asked.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  return { by, asked, puts, name, color };
}
const save = () => screen.getByRole('button', { name: 'Save Changes' });

test('a change is sent whole, confirmed, and organization and user are fetched again', async () => {
  const { by, asked, puts, name, color } = await open();
  // The card of the waiting text is loaded later, and fetches it then.
  await waitFor(() => expect(asked.map((each) => each.path)).toContain(`${path}/waiting-text`));
  const before = asked.length;
  await by.clear(name);
  await by.type(name, ' Engines ');
  await by.clear(color);
  await by.type(color, '#123ABC');
  await by.selectOptions(screen.getByLabelText('Plan'), 'Professional');
  await by.click(save());
  expect(await screen.findByText('Organization settings updated successfully')).toBeTruthy();
  expect(puts()).toEqual([{ name: 'Engines', brandColor: '#123ABC', plan: 'professional' }]);
  await waitFor(() =>
    expect(
      asked
        .slice(before + 1)
        .map((each) => each.path)
        .sort(),
    ).toEqual([path, '/api/user']),
  );
});

test.each([
  ['Organization name', '   ', 'Organization name is required'],
  ['Brand color', '#12345', 'Invalid color format'],
  ['Brand color', 'red', 'Invalid color format'],
  ['Brand color', '2563eb', 'Invalid color format'],
])('%s %j is not sent: %s', async (label, text, message) => {
  const { by, puts } = await open();
  const field = screen.getByLabelText(label);
  await by.clear(field);
  await by.type(field, text);
  await by.click(save());
  expect(await screen.findByText(message)).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(puts()).toEqual([]);
});

test('a failure is reported, the server’s reason stays beside the button, and no input is lost', async () => {
  const { by, name } = await open('SUPERADMIN', refusal(409, { message: 'Change it in Billing.' }));
  await by.type(name, '!');
  await by.click(save());
  expect(await screen.findByText('Failed to update organization settings')).toBeTruthy();
  expect(toastLook('Failed to update organization settings')).toBe('destructive');
  expect(screen.getByText('Change it in Billing.')).toBeTruthy();
  expect(name.value).toBe('Analytical Engines!');
});

test.each(['AGENT', 'VIEWER'] as const)(
  '%s can read the settings, which say who can change them',
  async (role) => {
    const { name, color } = await open(role);
    expect(screen.getByText(refusedText)).toBeTruthy();
    for (const field of [name, color, screen.getByLabelText('Plan')])
      expect(field.closest('fieldset')?.disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'Save Changes' })).toBe(null);
  },
);

test('admins do not see that note', async () => {
  await open();
  expect(screen.queryByText(refusedText)).toBe(null);
});

test('the preview shows the color with a legible text color, and the saved color while the text is invalid', async () => {
  const { by, color } = await open();
  const { style } = screen.getByRole('img', { name: 'Preview of the brand color' });
  const look = () => [style.getPropertyValue('--brand'), style.getPropertyValue('--brand-text')];
  expect(look()).toEqual(['#facc15', '#000000']);
  await by.clear(color);
  await by.type(color, '#1e3a8a');
  expect(look()).toEqual(['#1e3a8a', '#ffffff']);
  expect(screen.getByLabelText<HTMLInputElement>('Pick the brand color').value).toBe('#1e3a8a');
  await by.type(color, 'x');
  expect(look()).toEqual(['#facc15', '#000000']);
});

test('leaving with unsaved changes asks first, and without changes it does not', async () => {
  const { by, name } = await open();
  const address = () => screen.getByTestId('address').textContent;
  await by.type(name, '!');
  await by.click(screen.getByRole('link', { name: 'Rooms' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await by.click(dialog.getByRole('button', { name: 'Stay' }));
  expect(address()).toBe('/app/settings');
  expect(name.value).toBe('Analytical Engines!');
  await by.click(screen.getByRole('link', { name: 'Rooms' }));
  await by.click(await screen.findByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(address()).toBe('/app/rooms'));
});

test('leaving does not ask if nothing was changed or everything is saved', async () => {
  const { by, name } = await open();
  await by.type(name, '!');
  await by.click(save());
  await screen.findByText('Organization settings updated successfully');
  await by.click(screen.getByRole('link', { name: 'Rooms' }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/app/rooms'));
});

test.each([
  ['Zapier', 'Zapier isn’t set up here'],
  ['HubSpot', 'HubSpot isn’t available yet'],
  ['Salesforce', 'Salesforce isn’t available yet'],
])('%s is not connected where it is not set up, and Connect says so', async (name, title) => {
  const { by } = await open();
  await by.click(await screen.findByRole('button', { name: `Connect ${name}` }));
  expect(screen.getAllByText('Not Connected').length).toBe(3);
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(title)).toBeTruthy();
  expect(dialog.getByText(/No data is sent to/)).toBeTruthy();
  expect(dialog.queryByText(/installation|OAuth/)).toBe(null);
});

const settings = {
  mapping: {
    notes: { isSent: true, property: null },
    score: { isSent: true, property: null },
    summary: { isSent: true, property: null },
    actionItems: { isSent: true },
  },
  deletesCalls: false,
};
const connected = {
  ...absent,
  settings,
  accountName: 'ada@acme.example',
  waitingCount: 2,
  failedCount: 1,
};
const both = [
  { ...connected, vendor: 'hubspot', id: someId(70), state: 'connected' },
  {
    ...{ ...connected, vendor: 'salesforce', id: someId(71) },
    ...{ state: 'needs_attention', attention: 'revoked' },
  },
];

test('a connected CRM says as whom, and one that needs attention says why', async () => {
  const { by } = await open('ORGADMIN', organization, both);
  expect(await screen.findAllByText('Connected as ada@acme.example')).toHaveLength(2);
  expect(screen.getByText('Needs attention')).toBeTruthy();
  expect(screen.getByText(/Salesforce no longer accepts our access/)).toBeTruthy();
  expect(screen.getAllByText('2 calls are waiting to be sent')).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Connect Salesforce again' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Connect HubSpot/ })).toBe(null);
  await by.click(screen.getByRole('button', { name: 'Actions for HubSpot' }));
  await by.click(await screen.findByRole('menuitem', { name: 'What is sent' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'What HubSpot gets' }));
  expect(dialog.getByRole('checkbox', { name: 'Notes' })).toHaveProperty('checked', true);
});

test('members who may not manage CRMs see the state only', async () => {
  await open('AGENT', organization, both);
  expect(await screen.findAllByText('Connected as ada@acme.example')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: /Actions for|Connect .* again/ })).toBe(null);
});
