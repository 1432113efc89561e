// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { show, toastLook } from '#web/testing/show.tsx';

test('a failure is a destructive toast with the title Error', () => {
  show(null);
  act(() => toastFailure(new Error('Down'), 'Failed to update call'));
  expect(toastLook('Error')).toBe('destructive');
  expect(toastLook('Failed to update call')).toBe('destructive');
});

test('a failure with its own title is destructive, too', () => {
  show(null);
  act(() => toastFailure(new Error('Down'), 'Invalid email or password', 'Login failed'));
  expect(toastLook('Login failed')).toBe('destructive');
});

test('a failure because of an ended session is left to the toast Unauthorized', () => {
  show(null);
  act(() => toastFailure(new Error('401: {"title":"Unauthorized"}'), 'Failed to update call'));
  expect(screen.queryByText('Failed to update call')).toBe(null);
});
