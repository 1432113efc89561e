// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { Sidebar } from '#web/shell/sidebar.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const sidebar = <Sidebar orgId={orgId.parse(someId(2))} onNavigate={() => {}} />;

test.each(['SUPERADMIN', 'ORGADMIN'] as const)('%s finds the administration', (role) => {
  fakeServer({});
  show(sidebar, { path: '/app/settings/team', user: { ...ada, role } });
  const nav = within(screen.getByRole('navigation'));
  expect(nav.getByText('Administration')).toBeTruthy();
  expect(nav.getByRole('link', { name: 'Audit Logs' }).getAttribute('href')).toBe(
    '/app/settings/audit-logs',
  );
  expect(nav.getByRole('link', { current: 'page' }).textContent).toBe('Team');
});

test.each(['AGENT', 'VIEWER'] as const)('%s does not', (role) => {
  fakeServer({});
  show(sidebar, { user: { ...ada, role } });
  for (const text of ['Administration', 'Team', 'Audit Logs'])
    expect(screen.queryByText(text), text).toBe(null);
});
