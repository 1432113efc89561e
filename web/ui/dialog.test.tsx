// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

type Dialogs = typeof import('#web/ui/dialog.tsx');

afterEach(cleanup);

function Page({ Dialog }: Partial<Dialogs>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      {Dialog && (
        <Dialog open={isOpen} onOpenChange={setOpen} title="New name" closeLabel="Close">
          <input aria-label="Name" />
        </Dialog>
      )}
    </>
  );
}

test('a dialog whose code loads after the click returns the focus to the button', async () => {
  const user = userEvent.setup();
  const { rerender } = render(<Page />);
  const button = screen.getByRole('button', { name: 'Rename' });
  await user.click(button);
  const { Dialog } = await import('#web/ui/dialog.tsx');
  rerender(<Page Dialog={Dialog} />);
  await screen.findByRole('dialog');
  expect(document.activeElement).not.toBe(button);
  await user.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toBe(button);
});
