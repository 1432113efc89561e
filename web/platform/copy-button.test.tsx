// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { show, toastLook } from '#web/testing/show.tsx';

const button = <CopyButton label="Copy" done="Link copied" text={() => 'https://x'} />;

test('a copied text is confirmed by a toast', async () => {
  const { by } = show(button);
  await by.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByText('Link copied')).toBeTruthy();
  expect(toastLook('Link copied')).toBe('default');
});

test('a text that the browser does not copy is reported by a destructive toast', async () => {
  const { by } = show(button);
  vi.stubGlobal('ClipboardItem', undefined);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  await by.click(screen.getByRole('button', { name: 'Copy' }));
  const text = /Your browser doesn’t allow copying here/;
  expect(await screen.findByText(text)).toBeTruthy();
  expect(toastLook(text)).toBe('destructive');
  vi.unstubAllGlobals();
});
