import type { RefObject } from 'react';
import type { Participant } from '#domain/calls/participant.ts';
import { laterText } from '../later-texts.ts';
import type { Meeting } from '../meeting.ts';

type RemoveDialogProps = {
  dialog: RefObject<HTMLDialogElement | null>;
  meeting: Meeting;
  guest: Participant | null;
};

/**
 * Asks before a guest is removed, and offers to lock the call: otherwise the guest link admits them
 * again.
 */
export function RemoveDialog({ dialog, meeting, guest }: RemoveDialogProps) {
  const remove = (andLock: boolean) => {
    if (guest) meeting.send({ type: 'remove', to: guest.id });
    if (andLock) meeting.send({ type: 'lock', locked: true });
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} className="settings remove-dialog" aria-labelledby="remove-title">
      <h2 id="remove-title">{laterText('people.removeTitle', { name: guest?.name ?? '' })}</h2>
      <p>{laterText('people.removeText')}</p>
      <div className="answers">
        <button type="button" className="quiet" onClick={() => dialog.current?.close()}>
          {laterText('people.cancel')}
        </button>
        <button type="button" className="quiet" onClick={() => remove(false)}>
          {laterText('people.removeShort')}
        </button>
        <button type="button" className="primary" onClick={() => remove(true)}>
          {laterText('people.removeAndLock')}
        </button>
      </div>
    </dialog>
  );
}
