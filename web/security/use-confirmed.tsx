import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '#web/security/confirm-dialog.tsx';
import { wantsConfirmation } from '#web/security/queries.ts';

/**
 * Does what changes how somebody signs in. Where the server wants it proved first that it is them, asks
 * for the password, and for a code where there is a second factor, and does it again. `dialog` is to be rendered.
 */
export function useConfirmed(): { run: (work: () => Promise<unknown>) => void; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ work: () => Promise<unknown> } | null>(null);
  const run = (work: () => Promise<unknown>) =>
    void work().catch((error: unknown) => {
      // Anything else was said by the mutation.
      if (wantsConfirmation(error)) setWaiting({ work });
    });
  const dialog = (
    <ConfirmDialog
      open={waiting !== null}
      onDone={() => {
        setWaiting(null);
        if (waiting) run(waiting.work);
      }}
      onCancel={() => setWaiting(null)}
    />
  );
  return { run, dialog };
}
