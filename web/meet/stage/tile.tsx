import type { ReactNode } from 'react';
import type { Quality } from '#web/media/network/network-level.ts';
import type { ShownReaction } from '../controls/reactions.ts';
import { Icon } from '../icons.tsx';
import { NetworkBadge } from '../network/network-badge.tsx';
import { initials } from '../own-name.ts';
import { text } from '../texts.ts';
import type { Corner } from './corner.ts';
import { useDrag } from './use-drag.ts';
import { Video } from './video.tsx';

type TileProps = {
  id: string;
  name: string;
  stream: MediaStream | null;
  muted: boolean;
  /** A notice about the connection, if there is one. */
  note?: string | null;
  dimmed?: boolean | undefined;
  away?: boolean;
  own?: boolean;
  handUp?: boolean;
  reaction?: ShownReaction | undefined;
  speaking?: boolean;
  /** The large tile of this layout. */
  large?: boolean;
  /** The corner in which it lies over the others, and how it moves to another one. */
  corner?: Corner | undefined;
  onCorner?: (corner: Corner) => void;
  /** The buttons of the tile. */
  children?: ReactNode;
  quality?: Quality | undefined;
  /** More marks before the name. */
  marks?: ReactNode;
};

const stay = () => {};

export function Tile(props: TileProps) {
  const { id, name, stream, muted, note = null, own = false, handUp = false, reaction } = props;
  const drag = useDrag(props.onCorner ?? stay);
  return (
    <li
      className="tile"
      data-participant={id}
      data-own={own || undefined}
      data-dimmed={props.dimmed || undefined}
      data-away={props.away || undefined}
      data-speaking={props.speaking || undefined}
      data-large={props.large || undefined}
      data-corner={props.corner}
      {...(props.corner && drag)}
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
      {props.children}
      <p className="plate">
        {props.speaking && (
          <span className="speaking" role="img" aria-label={text('meeting.speaking')}>
            <Icon name="sound" />
          </span>
        )}
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
        {props.marks}
        {props.quality && <NetworkBadge quality={props.quality} />}
        <span dir="auto">{own ? ownPlate(name) : name}</span>
      </p>
    </li>
  );
}

const reactedWith = ({ reaction }: ShownReaction) =>
  text('meeting.reacted', { reaction: text(`reactions.${reaction}`) });

const ownPlate = (name: string) =>
  name === '' ? text('meeting.justYou') : text('meeting.you', { name });
