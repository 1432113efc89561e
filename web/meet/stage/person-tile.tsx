import type { Participant } from '#domain/calls/participant.ts';
import type { ConnectionQuality } from '#web/media/network/network.ts';
import type { Quality } from '#web/media/network/network-level.ts';
import type { PeerView } from '#web/media/peer-view.ts';
import { captureSlot } from '../consent/capture-slot.ts';
import type { ShownReaction } from '../controls/reactions.ts';
import type { Meeting } from '../meeting.ts';
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
  meeting: Meeting;
  participant: Participant;
  view: PeerView | undefined;
  connection: ConnectionQuality | undefined;
};

export function OtherTile({ participant, view, connection, ...props }: OtherProps) {
  const { id, name, media, connected } = participant;
  const { arrangement, choice, speaking, reaction } = props;
  return (
    <Tile
      id={id}
      name={name}
      stream={media.video && !connection?.videoMissing ? (view?.video ?? null) : null}
      muted={!media.audio}
      note={noteOf(participant, view, connection)}
      dimmed={view?.state === 'interrupted' || connection?.silent}
      away={!connected}
      handUp={media.hand !== undefined}
      quality={connection?.quality}
      speaking={speaking}
      large={arrangement.large === id}
      reaction={reaction}
      marks={<RecordedMark meeting={props.meeting} participant={participant} />}
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
  connection: ConnectionQuality | undefined,
): string | null {
  if (view?.state === 'connected') {
    if (!connected || connection?.silent) return text('meeting.reconnecting');
    return connection?.videoMissing ? text('network.noPicture', { name }) : null;
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
      name={self?.name ?? meeting.choices.name ?? ''}
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
      marks={<RecordedMark meeting={meeting} participant={self} />}
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

/** Shows that a participant is recorded, once the server has confirmed that a recording runs. */
function RecordedMark(props: { meeting: Meeting; participant: Participant | undefined }) {
  const { loaded } = useStore(captureSlot);
  return loaded && <loaded.parts.RecordedMark {...props} />;
}
