// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { Sidebar } from '#web/shell/sidebar.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const sidebar = <Sidebar orgId={orgId.parse(someId(2))} onNavigate={() => {}} />;

test.each(['SUPERADMIN', 'ORGADMIN'] as const)('%s sees the administration links', (role) => {
  fakeServer({});
  show(sidebar, { path: '/app/settings/team', user: { ...ada, role } });
  const nav = within(screen.getByRole('navigation'));
  expect(nav.getByText('Administration')).toBeTruthy();
  expect(nav.getByRole('link', { name: 'Audit Logs' }).getAttribute('href')).toBe(
    '/app/settings/audit-logs',
  );
  expect(nav.getByRole('link', { current: 'page' }).textContent).toBe('Team');
});

test.each(['AGENT', 'VIEWER'] as const)('%s does not see the administration links', (role) => {
  fakeServer({});
  show(sidebar, { user: { ...ada, role } });
  for (const text of ['Administration', 'Team', 'Audit Logs'])
    expect(screen.queryByText(text), text).toBe(null);
});

test.each([
  ['starter', 'Starter Plan'],
  ['professional', 'Professional Plan'],
  ['enterprise', 'Enterprise Plan'],
])('for the plan %s the sidebar shows %s, beside logo and name', async (plan, label) => {
  const organization = { id: someId(2), name: 'Engines', brandColor: '#2563eb', plan };
  fakeServer({
    [`GET /api/organizations/${someId(2)}`]: { ...organization, logoUrl: '/logos/1.png' },
  });
  const { container } = show(sidebar);
  expect(await screen.findByText(label)).toBeTruthy();
  expect(screen.getByText('Engines')).toBeTruthy();
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/logos/1.png');
});
