// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { PaletteButton } from '#web/palette/palette-button.tsx';
import { PaletteHost } from '#web/palette/palette-host.tsx';
import { show, toastLook } from '#web/testing/show.tsx';

vi.mock('#web/palette/command-palette.tsx', () => {
  throw new Error('no network');
});

test('if the palette’s code cannot be loaded, a destructive toast shows', async () => {
  const { by } = show(
    <PaletteHost>
      <PaletteButton />
    </PaletteHost>,
  );
  await by.click(screen.getByRole('button', { name: 'Search' }));
  expect(await screen.findByText('Error')).toBeTruthy();
  expect(toastLook('Error')).toBe('destructive');
});
