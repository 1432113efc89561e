import type { Participant } from '#domain/calls/participant.ts';
import type { PeerView } from '#web/media/peer-view.ts';
import { text } from '../texts.ts';
import { Video } from './video.tsx';

type Shared = { participant: Participant; stream: MediaStream };

/** Returns the screens that others share and whose video has arrived. */
export function sharedScreens(
  others: readonly Participant[],
  views: ReadonlyMap<string, PeerView>,
): Shared[] {
  return others.flatMap((participant) => {
    const stream = views.get(participant.id)?.screen;
    return participant.media.screen && stream ? [{ participant, stream }] : [];
  });
}

export function Screens({ shared }: { shared: readonly Shared[] }) {
  return (
    <ul className="screens" data-count={shared.length}>
      {shared.map(({ participant: { id, name }, stream }) => (
        <li key={id} className="tile screen" data-screen={id}>
          <Video stream={stream} label={text('meeting.screenOf', { name })} />
          <p className="plate">
            <span>{text('meeting.screenOf', { name })}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
