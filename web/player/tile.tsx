import { clsx } from 'clsx';
import { EyeOff, RotateCw } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { RecordedMediaId } from '#domain/ids.ts';
import { initialsOfName } from '#web/auth/person.ts';
import { t } from '#web/platform/texts.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import type { PagePlayer } from './page-player.ts';
import { usePlayerState } from './use-player.ts';

interface TileProps {
  player: PagePlayer;
  name: string;
  /** Null where nothing was recorded. */
  fileId: RecordedMediaId | null;
  hasVideo: boolean;
  isTalking: boolean;
  isScreen?: boolean;
  onHide?: () => void;
}

/** One person's video, or their initials where there is only sound. */
export function Tile({ player, name, fileId, hasVideo, isTalking, isScreen, onHide }: TileProps) {
  const isFailed = usePlayerState(player, ({ failed }) => fileId !== null && failed.has(fileId));
  const showsVideo = hasVideo && fileId !== null && !isFailed;
  const label = isScreen ? t('player.screenOf', { name }) : name;
  return (
    <figure
      aria-label={showsVideo ? label : t('player.noVideo', { name: label })}
      className="group relative grid min-h-0 min-w-0 place-items-center overflow-hidden rounded-lg bg-[#1a1e27]"
    >
      {fileId && <MountedVideo key={fileId} player={player} fileId={fileId} isShown={showsVideo} />}
      {!showsVideo && !isFailed && (
        <Avatar
          name={name}
          initials={initialsOfName(name)}
          className={clsx(
            'aspect-square h-auto w-[clamp(2.25rem,18%,5rem)] text-base',
            !fileId && 'opacity-40',
          )}
        />
      )}
      {/* Above the video, whose own ring it would cover. */}
      <span
        aria-hidden
        className={clsx(
          'pointer-events-none absolute inset-0 rounded-lg inset-ring-2',
          isTalking ? 'inset-ring-[#3ecf8e]' : 'inset-ring-transparent',
        )}
      />
      {isFailed && <Failed player={player} name={name} />}
      <figcaption className="absolute bottom-1.5 left-1.5 flex max-w-[calc(100%-0.75rem)] items-center gap-1.5 rounded bg-black/60 px-1.5 py-0.5 text-xs font-medium text-white">
        <span className="truncate">{label}</span>
        {fileId === null && (
          <span className="truncate font-normal text-white/70 max-sm:hidden">
            {t('player.notRecorded')}
          </span>
        )}
      </figcaption>
      {onHide && (
        <button
          type="button"
          onClick={onHide}
          aria-label={t('player.hide', { name: label })}
          title={t('player.hide', { name: label })}
          className="absolute top-1.5 right-1.5 grid size-7 place-items-center rounded bg-black/60 text-white opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
        >
          <EyeOff aria-hidden className="size-4" />
        </button>
      )}
    </figure>
  );
}

/** The player's own element, which keeps its place in the file when the layout changes. */
function MountedVideo(props: { player: PagePlayer; fileId: RecordedMediaId; isShown: boolean }) {
  const { player, fileId, isShown } = props;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = player.elementOf(fileId);
    if (!element || !place.current) return;
    place.current.append(element);
    return () => element.remove();
  }, [player, fileId]);
  return <div ref={place} className={clsx('absolute inset-0', !isShown && 'invisible')} />;
}

function Failed({ player, name }: { player: PagePlayer; name: string }) {
  return (
    <div className="grid max-w-full justify-items-center gap-2 px-2 pb-6 text-center text-xs text-white">
      <p role="status" className="line-clamp-3">
        {t('player.failedFile', { name })}
      </p>
      <button
        type="button"
        onClick={() => player.retry()}
        className="inline-flex h-7 items-center gap-1.5 rounded bg-white/15 px-2 font-medium hover:bg-white/25"
      >
        <RotateCw aria-hidden className="size-3.5" />
        {t('player.retry')}
      </button>
    </div>
  );
}
