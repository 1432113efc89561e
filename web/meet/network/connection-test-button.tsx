import { lazy, Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Meeting } from '../meeting.ts';
import { text } from '../texts.ts';

const ConnectionTestDialog = lazy(() => import('./connection-test-dialog.tsx'));

export function ConnectionTestButton({ meeting }: { meeting: Meeting }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="quiet connection-test-button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text('lineTest.button')}
      </button>
      {isOpen && (
        <Suspense>
          {createPortal(
            <ConnectionTestDialog meeting={meeting} onClose={() => setOpen(false)} />,
            document.body,
          )}
        </Suspense>
      )}
    </>
  );
}
