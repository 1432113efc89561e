import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { ArrowDown } from 'lucide-react';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { t } from '#web/platform/texts.ts';
import { hueOf } from '#web/ui/tint.ts';
import type { Hit } from './find-in-lines.ts';
import { lineAt } from './line-at.ts';
import type { PagePlayer } from './page-player.ts';
import type { Lane } from './talk.ts';
import { timeText } from './time-text.ts';

interface TranscriptLinesProps {
  lines: readonly TranscriptLine[];
  player: PagePlayer | undefined;
  lanes: readonly Lane[];
  hits: readonly Hit[];
  /** The one that the reader is at. */
  hit: Hit | null;
  lineActions: ((line: TranscriptLine) => ReactNode) | undefined;
}

/** The lines in view of a list that may have tens of thousands. */
export function TranscriptLines(props: TranscriptLinesProps) {
  const { lines, player, lanes, hits, hit, lineActions } = props;
  const scrolled = useRef<HTMLElement>(null);
  const [follows, setFollows] = useState(true);
  const current = useCurrentLine(player, lines);
  const hitsOf = useMemo(() => Map.groupBy(hits, ({ line }) => line), [hits]);
  const hues = new Map(lanes.map(({ participantId, hue }) => [participantId, hue]));
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => 44,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 8,
  });
  useEffect(() => {
    if (hit) virtual.scrollToIndex(hit.line, { align: 'center' });
  }, [virtual, hit]);
  useEffect(() => {
    if (follows && !hit && current >= 0) virtual.scrollToIndex(current, { align: 'center' });
  }, [virtual, follows, hit, current]);
  const release = () => setFollows(false);
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scrolled}
        aria-label={t('player.transcript')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard
        tabIndex={0}
        className="absolute inset-0 overflow-y-auto overscroll-contain"
        onWheel={release}
        onTouchMove={release}
        onKeyDown={({ key }) => scrollKeys.has(key) && release()}
      >
        <div className="relative my-2" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Line
                  line={line}
                  hue={hues.get(line.participantId) ?? hueOf(line.name)}
                  isFirstOfTurn={lines[index - 1]?.participantId !== line.participantId}
                  isCurrent={index === current}
                  hits={hitsOf.get(index) ?? []}
                  hit={hit}
                  actions={lineActions?.(line)}
                  onSeek={
                    player &&
                    (() => {
                      player.seek(line.startMs);
                      setFollows(true);
                    })
                  }
                />
              </div>
            );
          })}
        </div>
      </section>
      {player && !follows && current >= 0 && (
        <button
          type="button"
          onClick={() => setFollows(true)}
          className="absolute bottom-3 left-1/2 inline-flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full border bg-raised px-3 text-xs font-medium whitespace-nowrap shadow-md hover:bg-muted"
        >
          <ArrowDown aria-hidden className="size-3.5" />
          {t('player.follow')}
        </button>
      )}
    </div>
  );
}

const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

interface LineProps {
  line: TranscriptLine;
  hue: number;
  isFirstOfTurn: boolean;
  isCurrent: boolean;
  hits: readonly Hit[];
  hit: Hit | null;
  actions: ReactNode;
  onSeek: (() => void) | undefined;
}

function Line({ line, hue, isFirstOfTurn, isCurrent, hits, hit, actions, onSeek }: LineProps) {
  const at = timeText(line.startMs);
  return (
    <div className={clsx('group px-4', isFirstOfTurn && 'pt-3')}>
      {isFirstOfTurn && (
        <p
          style={{ '--hue': hue } as CSSProperties}
          className="mb-0.5 flex items-center gap-1.5 px-2 text-xs font-semibold"
        >
          <span
            aria-hidden
            className="size-2 rounded-full bg-[light-dark(oklch(0.62_0.14_var(--hue)),oklch(0.72_0.12_var(--hue)))]"
          />
          <bdi className="wrap-anywhere">{line.name}</bdi>
        </p>
      )}
      <div
        aria-current={isCurrent || undefined}
        className={clsx(
          'flex items-start gap-2 rounded-md px-2 py-1',
          isCurrent ? 'bg-brand/10' : onSeek && 'hover:bg-muted',
        )}
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button with the time does the same */}
        <p
          dir="auto"
          lang={line.language ?? undefined}
          onClick={() => getSelection()?.isCollapsed !== false && onSeek?.()}
          className={clsx(
            'min-w-0 flex-1 text-sm leading-snug wrap-anywhere',
            onSeek && 'cursor-pointer',
          )}
        >
          <Marked text={line.text} hits={hits} hit={hit} />
        </p>
        {actions}
        {onSeek ? (
          <button
            type="button"
            aria-label={t('player.playFrom', { at })}
            onClick={onSeek}
            className="mt-px shrink-0 rounded text-xs leading-5 text-muted-foreground tabular-nums hover:text-foreground hover:underline"
          >
            {at}
          </button>
        ) : (
          <span className="mt-px shrink-0 text-xs leading-5 text-muted-foreground tabular-nums">
            {at}
          </span>
        )}
      </div>
    </div>
  );
}

function Marked({ text, hits, hit }: { text: string; hits: readonly Hit[]; hit: Hit | null }) {
  if (hits.length === 0) return text;
  let end = 0;
  const parts = hits.map((one) => {
    const before = text.slice(end, one.from);
    end = one.to;
    return (
      <span key={one.from}>
        {before}
        <mark
          className={clsx(
            'rounded-xs text-inherit',
            one === hit ? 'bg-warning/60' : 'bg-warning/25',
          )}
        >
          {text.slice(one.from, one.to)}
        </mark>
      </span>
    );
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}

/** Returns the index of the line at the player's position, -1 before the first. */
function useCurrentLine(player: PagePlayer | undefined, lines: readonly TranscriptLine[]): number {
  const [current, setCurrent] = useState(-1);
  useEffect(() => {
    if (!player) return;
    const look = () => setCurrent(lineAt(lines, player.state.getSnapshot().positionMs));
    look();
    return player.state.subscribe(look);
  }, [player, lines]);
  return current;
}
