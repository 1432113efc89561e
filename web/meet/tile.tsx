import { Icon } from './icons.tsx';
import { initials } from './own-name.ts';
import type { ShownReaction } from './reactions.ts';
import { text } from './texts.ts';
import { Video } from './video.tsx';

type TileProps = {
  id: string;
  name: string;
  stream: MediaStream | null;
  muted: boolean;
  /** A word on the connection, where there is one to say. */
  note?: string | null;
  dimmed?: boolean;
  away?: boolean;
  own?: boolean;
  handUp?: boolean;
  reaction?: ShownReaction | undefined;
};

export function Tile(props: TileProps) {
  const { id, name, stream, muted, note = null, own = false, handUp = false, reaction } = props;
  return (
    <li
      className="tile"
      data-participant={id}
      data-own={own || undefined}
      data-dimmed={props.dimmed || undefined}
      data-away={props.away || undefined}
    >
      <span className="initials" aria-hidden="true">
        {initials(name)}
      </span>
      {stream && <Video stream={stream} mirrored={own} label={name} />}
      {note !== null && <p className="note">{note}</p>}
      {reaction && (
        <span
          key={reaction.count}
          className="reaction"
          role="img"
          aria-label={reactedWith(reaction)}
        >
          {reaction.reaction}
        </span>
      )}
      <p className="plate">
        {handUp && (
          <span className="hand" role="img" aria-label={text('meeting.handUp')}>
            <Icon name="hand" />
          </span>
        )}
        {muted && (
          <span role="img" aria-label={text('meeting.muted')}>
            <Icon name="microphoneOff" />
          </span>
        )}
        <span>{own ? ownPlate(name) : name}</span>
      </p>
    </li>
  );
}

const reactedWith = ({ reaction }: ShownReaction) =>
  text('meeting.reacted', { reaction: text(`reactions.${reaction}`) });

const ownPlate = (name: string) =>
  name === '' ? text('meeting.justYou') : text('meeting.you', { name });
