// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import '#web/platform/administration-texts.ts';
import { PolicyCard } from '#web/sso/policy-card.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';

const policy = { required: true, breakGlass: [] };
const unbound = /addresses aren’t in a verified domain with an active connection/;

test('members whom single sign-on cannot bind are counted', async () => {
  fakeServer({ 'GET /api/users': [] });
  show(<PolicyCard policy={policy} unboundMembers={3} />);
  expect((await screen.findByText(unbound)).textContent).toMatch(/^3 members/);
});

test('nothing is said of them where there are none', async () => {
  fakeServer({ 'GET /api/users': [] });
  show(<PolicyCard policy={policy} unboundMembers={0} />);
  await screen.findByRole('button', { name: 'Save' });
  expect(screen.queryByText(unbound)).toBeNull();
});
