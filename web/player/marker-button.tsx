import { clsx } from 'clsx';
import {
  CircleCheck,
  ListTodo,
  type LucideIcon,
  MessageSquare,
  NotebookPen,
  Smile,
} from 'lucide-react';
import { formatNumber, t } from '#web/platform/texts.ts';
import { Tooltip } from '#web/ui/tooltip.tsx';
import type { Marker, MarkerKind } from './marker.ts';
import { timeText } from './time-text.ts';

const icons: Record<MarkerKind, LucideIcon> = {
  item: ListTodo,
  note: NotebookPen,
  tick: CircleCheck,
  message: MessageSquare,
  mood: Smile,
};
const looks: Record<MarkerKind, string> = {
  item: 'text-brand-ink',
  note: 'text-warning',
  tick: 'text-success',
  message: 'text-muted-foreground',
  mood: 'text-destructive',
};
/** As many of a group are named; characters of each. */
const mostNamed = 6;
const longestText = 140;

interface MarkerButtonProps {
  /** What happened at about the same time. */
  group: readonly Marker[];
  onSeek: (atMs: number) => void;
}

/** What happened at a second: its icon, its words on hover and focus, and a way there. */
export function MarkerButton({ group, onSeek }: MarkerButtonProps) {
  const [first] = group;
  if (!first) return null;
  const Icon = icons[first.kind];
  const more = group.length - mostNamed;
  const name = [
    ...group.slice(0, mostNamed).map(nameOf),
    ...(more > 0 ? [t('player.moreMarkers', { count: more })] : []),
  ].join('\n');
  return (
    <Tooltip text={name}>
      <button
        type="button"
        aria-label={name}
        onClick={() => onSeek(first.atMs)}
        className={clsx(
          'flex h-6 min-w-6 items-center justify-center gap-0.5 rounded-full border bg-card px-1 shadow-xs hover:z-10',
          looks[first.kind],
        )}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        {group.length > 1 && (
          <span className="pr-0.5 text-xs font-semibold tabular-nums">
            {formatNumber(group.length)}
          </span>
        )}
      </button>
    </Tooltip>
  );
}

const nameOf = ({ kind, atMs, text }: Marker) =>
  t('player.markerAt', {
    kind: t(`player.marker.${kind}`),
    at: timeText(atMs),
    text: text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text,
  });
