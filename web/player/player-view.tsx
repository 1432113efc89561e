import { clsx } from 'clsx';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Recording } from '#domain/recordings/contract.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { t } from '#web/platform/texts.ts';
import { Card } from '#web/ui/card.tsx';
import { Controls } from './controls.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import type { Marker } from './marker.ts';
import type { PagePlayer } from './page-player.ts';
import { Stage } from './stage.tsx';
import { lanesOf } from './talk.ts';
import { TimelineBar } from './timeline-bar.tsx';
import { TranscriptPanel, type TranscriptPanelProps } from './transcript-panel.tsx';
import { useFullscreen } from './use-fullscreen.ts';
import { useKeys } from './use-keys.ts';
import { usePlayer, usePlayerState } from './use-player.ts';

interface PlayerViewProps {
  recording: Pick<Recording, 'people' | 'durationMs'>;
  lines: readonly TranscriptLine[];
  markers: readonly Marker[];
  /** Where a link leads to; null for one without a time. */
  startMs: number | null;
  /** Differs each time a link is followed, so that following one again leads there again. */
  visit?: string;
  /** Reads the recording again, for new addresses of the files. */
  renew: () => void;
  linkAt?: (positionMs: number) => string;
  /** Absent for people who may not share it. */
  onShare?: ((positionMs: number) => void) | undefined;
  /** Null where there is no transcript. */
  transcript: Omit<TranscriptPanelProps, 'lines' | 'player' | 'lanes'> | null;
  /** Above the stage, such as that some files failed. */
  notice?: ReactNode;
}

/** A call's recording: everyone's video, the timeline, and the transcript beside them. */
export function PlayerView(props: PlayerViewProps) {
  const { recording, lines, markers, startMs, visit, renew } = props;
  const { linkAt, onShare, transcript, notice } = props;
  const player = usePlayer(recording, renew, startMs ?? 0);
  const theater = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit leads there, whatever the time
  useEffect(() => {
    if (startMs === null) return;
    player.seek(startMs);
    theater.current?.scrollIntoView({ block: 'nearest' });
  }, [player, startMs, visit]);
  const fullscreen = useFullscreen(theater);
  const [showsTranscript, setShowsTranscript] = useState(true);
  const [showsKeys, setShowsKeys] = useState(false);
  const lanes = useMemo(() => lanesOf(recording.people, lines), [recording.people, lines]);
  useKeys(player, {
    fullscreen: () => fullscreen?.toggle(),
    transcript: () => setShowsTranscript((shows) => !shows),
    help: () => setShowsKeys(true),
  });
  const isBeside = transcript !== null && showsTranscript;
  return (
    <Card aria-label={t('player.title')} className="overflow-hidden print:hidden">
      {notice}
      <div className={clsx('grid grid-cols-1', isBeside && 'lg:grid-cols-[minmax(0,1fr)_22rem]')}>
        <div
          ref={theater}
          className={clsx(
            'flex aspect-square min-w-0 flex-col bg-stage sm:aspect-video fullscreen:aspect-auto',
            isBeside && 'lg:aspect-auto lg:h-104',
          )}
        >
          <Stage player={player} people={recording.people} lanes={lanes} />
          <div className="px-2 pb-1.5">
            <Controls
              player={player}
              fullscreen={fullscreen}
              linkAt={linkAt}
              onShare={onShare}
              onShortcuts={() => setShowsKeys(true)}
            />
          </div>
        </div>
        {isBeside && (
          <div className="h-80 border-t max-lg:order-2 lg:h-auto lg:border-t-0 lg:border-l">
            <TranscriptPanel {...transcript} lines={lines} player={player} lanes={lanes} />
          </div>
        )}
        <div className="border-t max-lg:order-1 lg:col-span-full">
          <TimelineBar player={player} lanes={lanes} markers={markers} />
        </div>
      </div>
      <KeysDialog open={showsKeys} onClose={() => setShowsKeys(false)} />
      <Spoken player={player} />
    </Card>
  );
}

const spoken = {
  playing: 'player.playing',
  paused: 'player.paused',
  buffering: 'player.loading',
} as const;

/** What a screen reader says of the player's state. */
function Spoken({ player }: { player: PagePlayer }) {
  const status = usePlayerState(player, (state) => state.status);
  const rate = usePlayerState(player, (state) => state.rate);
  const skips = usePlayerState(player, (state) => state.skipsSilence);
  return (
    <div className="sr-only">
      <p aria-live="polite">{t(spoken[status])}</p>
      <p aria-live="polite">{t('player.rateOf', { rate })}</p>
      <p aria-live="polite">{t(skips ? 'player.skipSilenceOn' : 'player.skipSilenceOff')}</p>
    </div>
  );
}
