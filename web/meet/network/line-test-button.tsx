import { lazy, Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Meeting } from '../meeting.ts';
import { text } from '../texts.ts';

const LineTestDialog = lazy(() => import('./line-test-dialog.tsx'));

/** Opens the connection test. */
export function LineTestButton({ meeting }: { meeting: Meeting }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="quiet line-test-button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text('lineTest.button')}
      </button>
      {isOpen && (
        <Suspense>
          {createPortal(
            <LineTestDialog meeting={meeting} onClose={() => setOpen(false)} />,
            document.body,
          )}
        </Suspense>
      )}
    </>
  );
}
