import { clsx } from 'clsx';
import {
  FastForward,
  Keyboard,
  Link2,
  Maximize,
  Minimize,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  Share2,
  Volume2,
  VolumeX,
} from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { copyText } from '#web/platform/clipboard.ts';
import { t } from '#web/platform/texts.ts';
import { toast } from '#web/ui/toast-store.ts';
import { Tooltip } from '#web/ui/tooltip.tsx';
import type { PagePlayer } from './page-player.ts';
import { rates } from './player-state.ts';
import { timeText } from './time-text.ts';
import { skipMs } from './use-keys.ts';
import { usePlayerState } from './use-player.ts';

interface ControlsProps {
  player: PagePlayer;
  /** Null where the browser has no full screen. */
  fullscreen: { isOn: boolean; toggle: () => void } | null;
  /** The address of a second. Absent where there is none to give away. */
  linkAt?: ((positionMs: number) => string) | undefined;
  /** Absent for people who may not share it. */
  onShare?: ((positionMs: number) => void) | undefined;
  onShortcuts: () => void;
}

export function Controls({ player, fullscreen, linkAt, onShare, onShortcuts }: ControlsProps) {
  const wantsToPlay = usePlayerState(player, ({ status }) => status !== 'paused');
  const skipsSilence = usePlayerState(player, (state) => state.skipsSilence);
  return (
    <div className="flex flex-wrap items-center gap-x-0.5 text-white sm:flex-nowrap sm:gap-x-1">
      <Control
        name={t(wantsToPlay ? 'player.pause' : 'player.play')}
        aria-keyshortcuts="k"
        onClick={() => player.toggle()}
      >
        {wantsToPlay ? <Pause className="fill-current" /> : <Play className="fill-current" />}
      </Control>
      <Control name={t('player.back')} aria-keyshortcuts="j" onClick={() => player.skip(-skipMs)}>
        <RotateCcw />
        <Seconds />
      </Control>
      <Control name={t('player.forward')} aria-keyshortcuts="l" onClick={() => player.skip(skipMs)}>
        <RotateCw />
        <Seconds />
      </Control>
      <Volume player={player} />
      <Time player={player} />
      <span className="flex-1 max-sm:hidden" />
      <Control
        name={t('player.skipSilence')}
        aria-pressed={skipsSilence}
        onClick={() => player.setSkipsSilence(!skipsSilence)}
      >
        <FastForward />
      </Control>
      <Speed player={player} />
      {linkAt && <CopyTime player={player} linkAt={linkAt} />}
      {onShare && (
        <Control
          name={t('player.share')}
          onClick={() => onShare(player.state.getSnapshot().positionMs)}
        >
          <Share2 />
        </Control>
      )}
      <Control name={t('player.shortcuts')} className="max-sm:hidden" onClick={onShortcuts}>
        <Keyboard />
      </Control>
      {fullscreen && (
        <Control
          name={t(fullscreen.isOn ? 'player.exitFullscreen' : 'player.fullscreen')}
          aria-keyshortcuts="f"
          onClick={fullscreen.toggle}
        >
          {fullscreen.isOn ? <Minimize /> : <Maximize />}
        </Control>
      )}
    </div>
  );
}

type ControlProps = ComponentProps<'button'> & { name: string; children: ReactNode };

function Control({ name, className, children, ...rest }: ControlProps) {
  return (
    <Tooltip text={name}>
      <button
        type="button"
        aria-label={name}
        {...rest}
        className={clsx(
          'relative grid size-9 shrink-0 place-items-center rounded-md text-white/85 hover:bg-white/12 hover:text-white',
          'focus-visible:outline-white aria-pressed:bg-white/18 aria-pressed:text-white [&_svg]:size-4.5',
          className,
        )}
      >
        {children}
      </button>
    </Tooltip>
  );
}

/** In the middle of the arrow. */
const Seconds = () => (
  <span aria-hidden className="absolute inset-0 grid place-items-center pt-px text-[7px] font-bold">
    {skipMs / 1000}
  </span>
);

function Time({ player }: { player: PagePlayer }) {
  const at = usePlayerState(player, ({ positionMs }) => timeText(positionMs));
  const of = usePlayerState(player, ({ durationMs }) => timeText(durationMs));
  return (
    <span className="px-1.5 text-xs whitespace-nowrap tabular-nums">
      {at} <span className="text-white/60">/ {of}</span>
    </span>
  );
}

function Volume({ player }: { player: PagePlayer }) {
  const isMuted = usePlayerState(player, (state) => state.isMuted || state.volume === 0);
  const volume = usePlayerState(player, (state) => (state.isMuted ? 0 : state.volume));
  return (
    <span className="flex items-center max-sm:hidden">
      <Control
        name={t(isMuted ? 'player.unmute' : 'player.mute')}
        aria-keyshortcuts="m"
        onClick={() => player.setMuted(!isMuted)}
      >
        {isMuted ? <VolumeX /> : <Volume2 />}
      </Control>
      <input
        type="range"
        min={0}
        max={100}
        value={Math.round(volume * 100)}
        aria-label={t('player.volume')}
        onChange={({ target }) => player.setVolume(target.valueAsNumber / 100)}
        className={sliderClass}
      />
    </span>
  );
}

const sliderClass =
  'h-1 w-16 cursor-pointer appearance-none rounded-full bg-white/30 pointer-coarse:hidden ' +
  '[&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-white ' +
  '[&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-white';

function Speed({ player }: { player: PagePlayer }) {
  const rate = usePlayerState(player, (state) => state.rate);
  return (
    <select
      aria-label={t('player.rate')}
      value={rate}
      onChange={({ target }) => {
        const chosen = rates.find((one) => String(one) === target.value);
        if (chosen) player.setRate(chosen);
      }}
      className="h-9 min-w-11 cursor-pointer appearance-none rounded-md bg-transparent px-1.5 text-center text-xs font-semibold text-white/85 tabular-nums hover:bg-white/12 hover:text-white focus-visible:outline-white"
    >
      {rates.map((one) => (
        <option key={one} value={one} className="bg-[#1a1e27]">
          {t('player.rateOf', { rate: one })}
        </option>
      ))}
    </select>
  );
}

type CopyTimeProps = { player: PagePlayer; linkAt: (positionMs: number) => string };

function CopyTime({ player, linkAt }: CopyTimeProps) {
  const at = usePlayerState(player, ({ positionMs }) => timeText(positionMs));
  const copy = async () => {
    const isCopied = await copyText(Promise.resolve(linkAt(player.state.getSnapshot().positionMs)));
    toast(
      isCopied
        ? { title: t('player.timeCopied') }
        : { title: t('common.uncopied'), tone: 'destructive' },
    );
  };
  return (
    <Control
      name={t('player.copyTime', { at })}
      className="max-sm:hidden"
      onClick={() => void copy()}
    >
      <Link2 />
    </Control>
  );
}
