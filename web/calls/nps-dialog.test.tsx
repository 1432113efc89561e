// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { callId } from '#domain/ids.ts';
import { NpsDialog } from '#web/calls/nps-dialog.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, someId, toastLook } from '#web/testing/show.tsx';

const id = callId.parse(someId(50));
const path = `PUT /api/calls/${id}`;

function open() {
  const done = vi.fn();
  return { done, ...show(<NpsDialog callId={id} onDone={done} />) };
}
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit' });

test('the dialog offers 0 to 10, and enables Submit only once a score is chosen', async () => {
  fakeServer({});
  const { by } = open();
  expect(screen.getByText('Rate from 0 (not likely) to 10 (extremely likely)')).toBeTruthy();
  expect(screen.getAllByRole('radio').length).toBe(11);
  expect(submit().disabled).toBe(true);
  await by.click(screen.getByRole('radio', { name: '0' }));
  expect(submit().disabled).toBe(false);
});

test('score and trimmed feedback are sent, followed by thanks', async () => {
  const asked = fakeServer({ [path]: {} });
  const { by, done } = open();
  await by.click(screen.getByRole('radio', { name: '9' }));
  await by.type(screen.getByLabelText(/Feedback/), '  Good call  ');
  await by.click(submit());
  expect(await screen.findByText('Thank you for your feedback!')).toBeTruthy();
  expect(asked[0]?.body).toEqual({ npsScore: 9, npsFeedback: 'Good call' });
  expect(done).toHaveBeenCalledOnce();
});

test('empty feedback is left out', async () => {
  const asked = fakeServer({ [path]: {} });
  const { by } = open();
  await by.click(screen.getByRole('radio', { name: '3' }));
  await by.type(screen.getByLabelText(/Feedback/), '   ');
  await by.click(submit());
  await waitFor(() => expect(asked[0]?.body).toEqual({ npsScore: 3 }));
});

test('Skip goes on without a score', async () => {
  const asked = fakeServer({});
  const { by, done } = open();
  await by.click(screen.getAllByRole('button', { name: 'Skip' })[0] ?? document.body);
  expect(done).toHaveBeenCalledOnce();
  expect(asked).toEqual([]);
});

test('a failure is reported, and the score stays chosen', async () => {
  fakeServer({ [path]: () => refusal(500) });
  const { by, done } = open();
  await by.click(screen.getByRole('radio', { name: '7' }));
  await by.click(submit());
  expect(await screen.findByText('Failed to submit feedback')).toBeTruthy();
  expect(toastLook('Failed to submit feedback')).toBe('destructive');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '7' }).checked).toBe(true);
  expect(done).not.toHaveBeenCalled();
});
