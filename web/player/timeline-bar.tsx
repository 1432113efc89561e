import { type CSSProperties, type PointerEvent, useState } from 'react';
import { formatNumber, t } from '#web/platform/texts.ts';
import { type Marker, markerGroups } from './marker.ts';
import { MarkerButton } from './marker-button.tsx';
import type { PagePlayer } from './page-player.ts';
import { type Lane, talkShare } from './talk.ts';
import { timeText } from './time-text.ts';
import { usePlayerState } from './use-player.ts';

interface TimelineBarProps {
  player: PagePlayer;
  lanes: readonly Lane[];
  markers: readonly Marker[];
}

/** The call from start to end: what happened when, who talked, and where playback is. */
export function TimelineBar({ player, lanes, markers }: TimelineBarProps) {
  const durationMs = usePlayerState(player, (state) => state.durationMs);
  return (
    <div className="grid gap-1.5 px-4 pt-3 pb-3.5 text-xs">
      {markers.length > 0 && (
        <Row label={<span className="truncate">{t('player.markers')}</span>}>
          <ul aria-label={t('player.markers')} className="relative h-6">
            {markerGroups(markers, durationMs).map((group) => (
              <li
                key={group[0]?.id}
                className="absolute top-0 -translate-x-1/2"
                style={{ left: `${share(group[0]?.atMs ?? 0, durationMs)}%` }}
              >
                <MarkerButton group={group} onSeek={(ms) => player.seek(ms)} />
              </li>
            ))}
          </ul>
        </Row>
      )}
      <div className="grid gap-1.5">
        <Row label={null}>
          <Slider player={player} />
        </Row>
        {lanes.map((lane) => (
          <Row
            key={lane.participantId}
            label={
              <span className="flex min-w-0 items-baseline gap-1.5">
                <span className="truncate font-medium">{lane.name}</span>
                <span className="text-muted-foreground tabular-nums max-sm:hidden">
                  {formatNumber(Math.round(talkShare(lane, lanes) * 100))}%
                </span>
              </span>
            }
          >
            <LaneBar lane={lane} lanes={lanes} player={player} durationMs={durationMs} />
          </Row>
        ))}
      </div>
    </div>
  );
}

function Row({ label, children }: { label: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-center gap-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <div className="min-w-0">{label}</div>
      {children}
    </div>
  );
}

const share = (ms: number, durationMs: number) =>
  durationMs === 0 ? 0 : Math.min(100, (ms / durationMs) * 100);

/** Returns the position of the pointer on an element that is as wide as the call is long. */
const pointedMs = ({ clientX, currentTarget }: PointerEvent, durationMs: number) => {
  const { left, width } = currentTarget.getBoundingClientRect();
  return width === 0 ? 0 : Math.max(0, Math.min(1, (clientX - left) / width)) * durationMs;
};

function Slider({ player }: { player: PagePlayer }) {
  const positionMs = usePlayerState(player, (state) => state.positionMs);
  const durationMs = usePlayerState(player, (state) => state.durationMs);
  const [pointed, setPointed] = useState<number | null>(null);
  const at = timeText(positionMs);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('player.seek')}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={Math.round(positionMs / 1000)}
      aria-valuetext={t('player.position', { at, of: timeText(durationMs) })}
      className="group relative flex h-5 cursor-pointer touch-none items-center"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        player.seek(pointedMs(event, durationMs));
      }}
      onPointerMove={(event) => {
        const ms = pointedMs(event, durationMs);
        setPointed(ms);
        if (event.currentTarget.hasPointerCapture(event.pointerId)) player.seek(ms);
      }}
      onPointerLeave={() => setPointed(null)}
    >
      <span className="relative h-1 w-full overflow-hidden rounded-full bg-muted transition-[height] group-hover:h-1.5">
        <span
          className="absolute inset-y-0 left-0 bg-brand-edge"
          style={{ width: `${share(positionMs, durationMs)}%` }}
        />
      </span>
      <span
        className="absolute size-3 -translate-x-1/2 rounded-full border-2 border-card bg-brand-edge shadow"
        style={{ left: `${share(positionMs, durationMs)}%` }}
      />
      {pointed !== null && (
        <span
          aria-hidden
          className="pointer-events-none absolute bottom-full -translate-x-1/2 rounded bg-foreground px-1.5 py-0.5 text-xs text-background tabular-nums"
          style={{ left: `${share(pointed, durationMs)}%` }}
        >
          {timeText(pointed)}
        </span>
      )}
    </div>
  );
}

interface LaneBarProps {
  lane: Lane;
  lanes: readonly Lane[];
  player: PagePlayer;
  durationMs: number;
}

function LaneBar({ lane, lanes, player, durationMs }: LaneBarProps) {
  const path = lane.talk
    .map(({ startMs, endMs }) => {
      const from = share(startMs, durationMs) * 10;
      const width = Math.max(1.5, share(endMs, durationMs) * 10 - from);
      return `M${from.toFixed(1)} 0h${width.toFixed(1)}v1h-${width.toFixed(1)}z`;
    })
    .join('');
  const percent = Math.round(talkShare(lane, lanes) * 100);
  return (
    // The slider does the same for the keyboard.
    <div
      className="relative h-3 cursor-pointer"
      onPointerDown={(event) => player.seek(pointedMs(event, durationMs))}
    >
      <svg
        role="img"
        aria-label={t('player.talk', { name: lane.name, percent })}
        viewBox="0 0 1000 1"
        preserveAspectRatio="none"
        style={{ '--hue': lane.hue } as CSSProperties}
        className="size-full rounded-sm bg-muted/60"
      >
        <path
          d={path}
          className="fill-[light-dark(oklch(0.62_0.14_var(--hue)),oklch(0.72_0.12_var(--hue)))]"
        />
      </svg>
      <Playhead player={player} />
    </div>
  );
}

function Playhead({ player }: { player: PagePlayer }) {
  const left = usePlayerState(player, (state) => share(state.positionMs, state.durationMs));
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute -inset-y-1 w-px bg-foreground"
      style={{ left: `${left}%` }}
    />
  );
}
