import type { Participant } from '#domain/calls/live.ts';
import type { ShownReaction } from '../controls/reactions.ts';
import type { Meeting } from '../meeting.ts';
import type { Path } from '../network/network.ts';
import type { Quality } from '../network/network-level.ts';
import type { PeerView } from '../paths/peer-view.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import type { Arrangement } from './arrangement.ts';
import type { LayoutChoice } from './layout-choice.ts';
import { Tile } from './tile.tsx';
import { PinButton, SelfButtons } from './tile-actions.tsx';

type PlaceProps = {
  arrangement: Arrangement;
  choice: LayoutChoice;
  speaking: boolean;
  reaction: ShownReaction | undefined;
};
type OtherProps = PlaceProps & {
  participant: Participant;
  view: PeerView | undefined;
  path: Path | undefined;
};

export function OtherTile({ participant, view, path, ...props }: OtherProps) {
  const { id, name, media, connected } = participant;
  const { arrangement, choice, speaking, reaction } = props;
  return (
    <Tile
      id={id}
      name={name}
      stream={media.video && !path?.pictureMissing ? (view?.video ?? null) : null}
      muted={!media.audio}
      note={noteOf(participant, view, path)}
      dimmed={view?.state === 'interrupted' || path?.silent}
      away={!connected}
      handUp={media.hand !== undefined}
      quality={path?.quality}
      speaking={speaking}
      large={arrangement.large === id}
      reaction={reaction}
    >
      {arrangement.mayPin && (
        <div className="tile-actions">
          <PinButton choice={choice} id={id} name={name} />
        </div>
      )}
    </Tile>
  );
}

function noteOf(
  { name, connected }: Participant,
  view: PeerView | undefined,
  path: Path | undefined,
): string | null {
  if (view?.state === 'connected') {
    if (!connected || path?.silent) return text('meeting.reconnecting');
    return path?.pictureMissing ? text('network.noPicture', { name }) : null;
  }
  if (view?.state === 'unreachable') return text('meeting.unreachable', { name });
  return text(
    connected && view?.state !== 'interrupted' ? 'meeting.connecting' : 'meeting.reconnecting',
  );
}

type SelfProps = PlaceProps & { meeting: Meeting; quality: Quality };

export function SelfTile({ meeting, quality, ...props }: SelfProps) {
  const { arrangement, choice, speaking, reaction } = props;
  const { roster, hand } = useStore(meeting);
  const { selfCorner } = useStore(choice);
  const { picture, wished, audio } = useStore(meeting.media);
  const self = roster.participants.find((one) => one.id === roster.self);
  const id = roster.self ?? 'self';
  const inCorner = arrangement.self === 'corner';
  return (
    <Tile
      id={id}
      name={self?.name ?? meeting.ownName ?? ''}
      stream={wished.video ? picture : null}
      muted={!wished.audio || audio === null}
      own
      handUp={hand !== null}
      quality={quality}
      speaking={speaking}
      large={arrangement.large === id}
      corner={inCorner ? selfCorner : undefined}
      onCorner={(corner) => choice.choose({ selfCorner: corner })}
      reaction={reaction}
    >
      {arrangement.kind !== 'alone' && (
        <div className="tile-actions">
          <SelfButtons choice={choice} movable={inCorner} />
          {arrangement.mayPin && <PinButton choice={choice} id={id} name="" own />}
        </div>
      )}
    </Tile>
  );
}
