import { laterText } from '../later-texts.ts';
import type { Meeting } from '../meeting.ts';
import { listNames } from '../texts.ts';
import { useStore } from '../use-store.ts';

/** Shows the waiting guests over the stage. Loaded separately, since most calls have no lobby. */
export default function LobbyNotice({ meeting, onShow }: { meeting: Meeting; onShow: () => void }) {
  const { guests, hiddenGuests } = useStore(meeting);
  const names = guests.map(({ name }) => name);
  return (
    <div className="lobby-notice">
      <p role="status">
        {laterText('lobby.notice', { names: listNames(names), count: names.length })}
        {hiddenGuests > 0 && ` ${laterText('lobby.more', { count: hiddenGuests })}`}
      </p>
      <button type="button" className="quiet" onClick={onShow}>
        {laterText('lobby.show')}
      </button>
      <button
        type="button"
        className="primary"
        onClick={() => meeting.send({ type: 'admit', guests: guests.map(({ id }) => id) })}
      >
        {laterText(guests.length > 1 ? 'lobby.admitAll' : 'lobby.admit')}
      </button>
    </div>
  );
}
