import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '#web/security/confirm-dialog.tsx';
import { wantsConfirmation } from '#web/security/queries.ts';

/**
 * Runs a change of how the person signs in. If the server requires re-authentication, asks for the
 * password, and for a code if there is a second factor, and runs it again. The caller must render
 * `dialog`.
 */
export function useConfirmed(): {
  run: (work: () => Promise<unknown>) => void;
  /** Like `run`. Rejects with errors other than the demand for re-authentication. */
  attempt: (work: () => Promise<unknown>) => Promise<void>;
  dialog: ReactNode;
} {
  const [waiting, setWaiting] = useState<{ work: () => Promise<unknown> } | null>(null);
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!wantsConfirmation(error)) throw error;
      setWaiting({ work });
    }
  };
  // The mutation has reported any other error.
  const run = (work: () => Promise<unknown>) => void attempt(work).catch(() => undefined);
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
  return { run, attempt, dialog };
}
