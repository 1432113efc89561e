// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Recording, recording as shape } from '#domain/recordings/contract.ts';
import { RecordingFacts } from '#web/recordings/recording-facts.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const path = `/api/calls/${someId(50)}`;
const recorded = (changed: object = {}): Recording =>
  shape.parse({
    callId: someId(50),
    state: 'ready',
    durationMs: 60_000,
    sizeBytes: 3 * 1024 * 1024,
    people: [{ participantId: someId(11), name: 'Grace', kind: 'guest', tracks: [] }],
    expiresAt: null,
    legalHold: null,
    ...changed,
  });
const admin = { ...ada, role: 'ORGADMIN' as const };
const menu = () => screen.findByRole('button', { name: 'More about this recording' });

test('an admin removes one person after a confirmation', async () => {
  const asked = fakeServer({ [`DELETE ${path}/recording/people/${someId(11)}`]: null });
  const { by } = show(<RecordingFacts recording={recorded()} />, { user: admin });
  expect(await screen.findByText('3 MB')).toBeTruthy();
  await by.click(await menu());
  await by.click(await screen.findByRole('menuitem', { name: 'Remove Grace' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText('Remove Grace from this recording?')).toBeTruthy();
  expect(asked).toHaveLength(0);
  await by.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Removed from the recording')).toBeTruthy();
});

test('a legal hold takes a reason, and while it holds nothing can be deleted', async () => {
  const asked = fakeServer({ [`PUT ${path}/legal-hold`]: null });
  const first = show(<RecordingFacts recording={recorded()} />, { user: admin });
  await first.by.click(await menu());
  await first.by.click(await screen.findByRole('menuitem', { name: 'Place legal hold' }));
  await first.by.type(await screen.findByLabelText('Reason'), 'Case 12');
  await first.by.click(screen.getByRole('button', { name: 'Place legal hold' }));
  expect(await screen.findByText('Legal hold placed')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({ reason: 'Case 12' });
  first.unmount();
  const legalHold = { reason: 'Case 12', placedAt: '2026-11-01T10:00:00Z', placedBy: 'Ada' };
  const { by } = show(<RecordingFacts recording={recorded({ legalHold })} />, { user: admin });
  expect(await screen.findByText('3 MB · Under legal hold: Case 12')).toBeTruthy();
  await by.click(await menu());
  const deletion = await screen.findByRole('menuitem', { name: 'Delete recording' });
  expect(deletion.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('menuitem', { name: 'Lift legal hold' })).toBeTruthy();
});

test('agents read how large it is, and have no menu', async () => {
  fakeServer({});
  show(<RecordingFacts recording={recorded()} />, { user: { ...ada, role: 'AGENT' as const } });
  expect(await screen.findByText('3 MB')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'More about this recording' })).toBe(null);
});
