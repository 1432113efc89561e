import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '#web/security/confirm-dialog.tsx';
import { wantsConfirmation } from '#web/security/queries.ts';

/**
 * Runs a change of how the person signs in. If the server requires re-authentication, asks for the
 * password, and for a code if there is a second factor, and runs it again. The caller must render
 * `dialog`.
 */
export function useConfirmed(): { run: (work: () => Promise<unknown>) => void; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ work: () => Promise<unknown> } | null>(null);
  const run = (work: () => Promise<unknown>) =>
    void work().catch((error: unknown) => {
      // The mutation has reported any other error.
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
