// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '#web/platform/api.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { show, toastLook } from '#web/testing/show.tsx';

type Effects = Parameters<typeof useApiMutation<void, string>>[1];

interface PageProps {
  change: () => Promise<string>;
  effects: Effects;
}

function Page({ change, effects }: PageProps) {
  const { mutate, isPending } = useApiMutation(change, effects);
  return (
    <button type="button" onClick={() => mutate()}>
      {isPending ? 'Saving' : 'Save'}
    </button>
  );
}

function press(change: () => Promise<string>, effects: Effects) {
  show(<Page change={change} effects={effects} />);
  screen.getByRole('button').click();
}

const refused = () =>
  Promise.reject(new ApiError('x', 409, { message: 'The name is taken.', code: 'taken' }));
const broken = () => Promise.reject(new ApiError('500: broken', 500));

test.each([
  ['a text', 'Not saved', refused, ['Error', 'The name is taken.'], 'Not saved'],
  ['a text, without a reason', 'Not saved', broken, ['Error', 'Not saved'], '500'],
  ['a title', { title: 'Not saved' }, refused, ['Not saved', 'The name is taken.'], 'Error'],
  ['a title, without a reason', { title: 'Not saved' }, broken, ['Error', 'Not saved'], '500'],
  ['a fixed text', { text: 'Not saved' }, refused, ['Error', 'Not saved'], 'taken'],
  [
    'a text by the failure',
    { text: ({ message }: Error) => message },
    broken,
    ['Error', '500: broken'],
    'taken',
  ],
] as const)(
  '%s describes a failure in a destructive toast',
  async (_, failed, change, texts, no) => {
    press(change, { failed });
    for (const text of texts) await waitFor(() => expect(toastLook(text)).toBe('destructive'));
    expect(screen.queryByText(no)).toBe(null);
  },
);

test('a failure that the caller handles shows no toast', async () => {
  press(refused, { failed: 'Not saved', isHandled: () => true });
  await screen.findByText('Save');
  expect(screen.queryByText('The name is taken.')).toBe(null);
});

test.each([
  ['wait', 'Saving'],
  ['background', 'Save'],
] as const)('refreshing in the mode %s leaves the button at %s', async (refreshMode, label) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  press(() => Promise.resolve('saved'), {
    done: { title: 'Saved' },
    failed: 'Not saved',
    refresh: () => promise,
    refreshMode,
  });
  await screen.findByText('Saved');
  await screen.findByRole('button', { name: label });
  resolve();
  await screen.findByRole('button', { name: 'Save' });
});

test('a list that may be out of date is read again after a failure, too', async () => {
  const refresh = vi.fn(() => Promise.resolve());
  press(refused, { failed: 'Not saved', refresh, refreshMode: 'always' });
  await waitFor(() => expect(refresh).toHaveBeenCalledOnce());
});
