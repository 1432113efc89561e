import { clsx } from 'clsx';
import { Eye, LoaderCircle, Play } from 'lucide-react';
import type { RecordedPerson } from '#domain/recordings/contract.ts';
import { t } from '#web/platform/texts.ts';
import type { PagePlayer } from './page-player.ts';
import { picturesOf } from './pictures-of.ts';
import { isTalking, type Lane } from './talk.ts';
import { Tile } from './tile.tsx';
import { usePlayerState } from './use-player.ts';

interface StageProps {
  player: PagePlayer;
  people: readonly RecordedPerson[];
  lanes: readonly Lane[];
}

/** Everyone's video; a shared screen is large, and the people are beside it. */
export function Stage({ player, people, lanes }: StageProps) {
  const shown = usePlayerState(player, (state) => state.shown);
  const hidden = usePlayerState(player, (state) => state.hidden);
  const tiles = people
    .filter(({ participantId }) => !hidden.has(participantId))
    .flatMap((person) => {
      const { participantId, name } = person;
      return picturesOf(person).map(({ id, source, files, sound }) => {
        const fileId = shown.get(id) ?? (sound && shown.get(sound)) ?? null;
        const hasVideo = files.some((file) => file.id === fileId && file.hasVideo);
        return { id, participantId, name, source, fileId, hasVideo };
      });
    });
  const screens = tiles.filter(({ source, fileId }) => source === 'screen' && fileId !== null);
  const cameras = tiles.filter(({ source }) => source === 'camera');
  const hiddenPeople = people.filter(({ participantId }) => hidden.has(participantId));
  const talking = useTalking(player, lanes);
  const tile = (one: (typeof tiles)[number]) => (
    <Tile
      key={one.id}
      player={player}
      name={one.name}
      fileId={one.fileId}
      hasVideo={one.hasVideo}
      isScreen={one.source === 'screen'}
      isTalking={one.source === 'camera' && talking.includes(one.participantId)}
      {...(one.source === 'camera' && {
        onHide: () => player.setHidden(one.participantId, true),
      })}
    />
  );
  return (
    <div className="relative min-h-0 flex-1">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the Play button and the keyboard do the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the Play button and the keyboard do the same */}
      <div
        onClick={({ target }) => isButton(target) || player.toggle()}
        className={clsx(
          'absolute inset-0 gap-1.5 p-1.5',
          screens.length > 0 ? 'flex flex-col sm:flex-row' : 'grid auto-rows-fr',
          screens.length === 0 && columnsOf(cameras.length),
        )}
      >
        {screens.length > 0 ? (
          <>
            <div className="grid min-h-0 min-w-0 flex-1 auto-rows-fr gap-1.5">
              {screens.map(tile)}
            </div>
            <div className="grid auto-cols-fr grid-flow-col gap-1.5 max-sm:h-1/3 sm:w-1/5 [&_video]:object-cover sm:grid-flow-row sm:auto-rows-[minmax(0,9rem)]">
              {cameras.map(tile)}
            </div>
          </>
        ) : (
          cameras.map(tile)
        )}
      </div>
      <Overlay player={player} />
      {hiddenPeople.length > 0 && (
        <p className="absolute top-2 left-2 flex max-w-full flex-wrap items-center gap-1.5 text-xs text-white">
          <span className="sr-only">{t('player.hidden')}</span>
          {hiddenPeople.map(({ participantId, name }) => (
            <button
              key={participantId}
              type="button"
              onClick={() => player.setHidden(participantId, false)}
              aria-label={t('player.show', { name })}
              className="inline-flex h-7 max-w-48 items-center gap-1.5 rounded bg-black/70 px-2 font-medium hover:bg-black"
            >
              <Eye aria-hidden className="size-3.5 shrink-0" />
              <span className="truncate">{name}</span>
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

function Overlay({ player }: { player: PagePlayer }) {
  const status = usePlayerState(player, (state) => state.status);
  const isAtStart = usePlayerState(player, ({ positionMs }) => positionMs === 0);
  if (status === 'buffering')
    return (
      <div className="pointer-events-none absolute inset-0 grid place-items-center text-white">
        <LoaderCircle aria-hidden className="size-10 animate-spin drop-shadow-lg" />
      </div>
    );
  if (status !== 'paused' || !isAtStart) return null;
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center">
      <span
        aria-hidden
        className="grid size-16 place-items-center rounded-full bg-black/65 text-white shadow-lg"
      >
        <Play className="size-7 translate-x-0.5 fill-current" />
      </span>
    </div>
  );
}

/** Who talks at the position, as one text, which changes only when they do. */
function useTalking(player: PagePlayer, lanes: readonly Lane[]): string {
  return usePlayerState(player, ({ positionMs, status }) =>
    status === 'playing'
      ? lanes
          .filter((lane) => isTalking(lane, positionMs))
          .map(({ participantId }) => participantId)
          .join(' ')
      : '',
  );
}

const isButton = (target: EventTarget) =>
  target instanceof Element && target.closest('button') !== null;

const columnsOf = (count: number) => {
  if (count <= 1) return 'grid-cols-1';
  if (count === 2) return 'grid-cols-1 sm:grid-cols-2';
  return count <= 4 ? 'grid-cols-2' : 'grid-cols-2 sm:grid-cols-3';
};
