import { laterText } from '../later-texts.ts';
import type { Meeting } from '../meeting.ts';
import { listNames } from '../texts.ts';
import { useStore } from '../use-store.ts';

const mostNames = 3;

/** The names of those who wait in the lobby while a host prepares. Guests never load it. */
export default function WhoIsWaiting({ meeting }: { meeting: Meeting }) {
  const { guests, hiddenGuests } = useStore(meeting);
  const count = guests.length + hiddenGuests;
  const names = guests.slice(0, mostNames).map(({ name }) => name);
  const more = count - names.length;
  const all = more > 0 ? [...names, laterText('lobby.andMore', { count: more })] : names;
  return (
    <p className="waiting-hint" role="status">
      {laterText('lobby.waiting', { names: listNames(all), count })}
    </p>
  );
}
