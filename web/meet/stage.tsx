import type { Participant } from '#domain/calls/live.ts';
import type { Meeting } from './meeting.ts';
import type { PeerView } from './peer-view.ts';
import type { Reactions, ShownReaction } from './reactions.ts';
import { othersInMeeting } from './roster.ts';
import { Screens, sharedScreens } from './screens.tsx';
import { Sound, SoundButton } from './sound.tsx';
import { text } from './texts.ts';
import { Tile } from './tile.tsx';
import { useStore } from './use-store.ts';

/** Everybody in the meeting; meet.css lays the tiles out by their number and the room there is. */
type StageProps = { meeting: Meeting; reactions: Reactions };

export function Stage({ meeting, reactions }: StageProps) {
  const { roster, views } = useStore(meeting);
  const { chosen } = useStore(meeting.media);
  const { shown } = useStore(reactions);
  const others = othersInMeeting(roster);
  const shared = sharedScreens(others, views);
  return (
    <main
      className="stage"
      data-shared={shared.length > 0 || undefined}
      aria-label={text('meeting.label')}
    >
      {shared.length > 0 && <Screens shared={shared} />}
      <ul className="tiles" data-count={others.length + 1}>
        {others.map((one) => (
          <OtherTile
            key={one.id}
            participant={one}
            view={views.get(one.id)}
            reaction={shown.get(one.id)}
          />
        ))}
        <SelfTile meeting={meeting} reaction={shown.get(roster.self ?? '')} />
      </ul>
      {others.length === 0 && roster.self !== null && (
        <div className="waiting" role="status">
          <strong>{text('meeting.waiting')}</strong>
          <span>{text('meeting.waitingHint')}</span>
        </div>
      )}
      <SoundButton />
      {others.flatMap(({ id }) => {
        const { audio = null, screenSound = null } = views.get(id) ?? {};
        return [audio, screenSound].map(
          (stream) =>
            stream && (
              <Sound
                key={stream === audio ? id : `${id} screen`}
                stream={stream}
                speakerId={chosen.speakerId ?? ''}
              />
            ),
        );
      })}
    </main>
  );
}

type OtherProps = {
  participant: Participant;
  view: PeerView | undefined;
  reaction: ShownReaction | undefined;
};

function OtherTile({ participant, view, reaction }: OtherProps) {
  const { id, name, media, connected } = participant;
  return (
    <Tile
      id={id}
      name={name}
      stream={media.video ? (view?.video ?? null) : null}
      muted={!media.audio}
      note={noteOf(participant, view)}
      dimmed={view?.state === 'interrupted'}
      away={!connected}
      handUp={media.hand !== undefined}
      reaction={reaction}
    />
  );
}

function noteOf({ name, connected }: Participant, view: PeerView | undefined): string | null {
  if (view?.state === 'connected') return connected ? null : text('meeting.reconnecting');
  if (view?.state === 'unreachable') return text('meeting.unreachable', { name });
  return text(
    connected && view?.state !== 'interrupted' ? 'meeting.connecting' : 'meeting.reconnecting',
  );
}

type SelfProps = { meeting: Meeting; reaction: ShownReaction | undefined };

function SelfTile({ meeting, reaction }: SelfProps) {
  const { roster, hand } = useStore(meeting);
  const { picture, wished, audio } = useStore(meeting.media);
  const self = roster.participants.find((one) => one.id === roster.self);
  return (
    <Tile
      id={roster.self ?? 'self'}
      name={self?.name ?? meeting.ownName ?? ''}
      stream={wished.video ? picture : null}
      muted={!wished.audio || audio === null}
      own
      handUp={hand !== null}
      reaction={reaction}
    />
  );
}
