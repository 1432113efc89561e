import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { t } from '#web/platform/texts.ts';
import { hitsIn } from './find-in-lines.ts';
import type { PagePlayer } from './page-player.ts';
import type { Lane } from './talk.ts';
import { TranscriptLines } from './transcript-lines.tsx';

export interface TranscriptPanelProps {
  lines: readonly TranscriptLine[];
  /** Absent for a call without a recording. */
  player?: PagePlayer | undefined;
  /** The speakers, with their colors. */
  lanes: readonly Lane[];
  /** Below the lines: that more are coming, or what failed. */
  note?: ReactNode;
  /** In the panel's head, such as an export. */
  actions?: ReactNode;
  /** Beside each line, such as a correction. */
  lineActions?: ((line: TranscriptLine) => ReactNode) | undefined;
}

/** What was said, with a search; it follows playback until the reader scrolls. */
export function TranscriptPanel(props: TranscriptPanelProps) {
  const { lines, player, lanes, note, actions, lineActions } = props;
  const [query, setQuery] = useState('');
  const [index, setIndex] = useState(0);
  const wanted = useDeferredValue(query);
  const texts = useMemo(() => lines.map(({ text }) => text), [lines]);
  const hits = useMemo(() => hitsIn(texts, wanted), [texts, wanted]);
  const chosen = hits.length > 0 ? index % hits.length : 0;
  const step = (by: number) => setIndex((chosen + by + hits.length) % hits.length);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex min-h-13 items-center gap-2 border-b py-2 pr-2 pl-4">
        <h2 className="text-sm font-semibold max-sm:sr-only">{t('player.transcript')}</h2>
        <search className="flex min-w-0 flex-1 items-center gap-1">
          <label className="flex h-8 min-w-0 flex-1 items-center gap-1.5 rounded-md border border-field-border bg-background px-2 focus-within:outline-2 focus-within:outline-ring">
            <Search aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
            <input
              type="search"
              value={query}
              maxLength={100}
              placeholder={t('player.searchShort')}
              aria-label={t('player.search')}
              onChange={({ target }) => {
                setQuery(target.value);
                setIndex(0);
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || hits.length === 0) return;
                event.preventDefault();
                step(event.shiftKey ? -1 : 1);
              }}
              className="min-w-0 flex-1 bg-transparent text-sm outline-none"
            />
            <span role="status" className="shrink-0 text-xs text-muted-foreground tabular-nums">
              {wanted.trim() !== '' && hitText(chosen, hits.length)}
            </span>
          </label>
          {hits.length > 0 && (
            <>
              <HitButton name={t('player.previousHit')} onClick={() => step(-1)}>
                <ChevronUp aria-hidden className="size-4" />
              </HitButton>
              <HitButton name={t('player.nextHit')} onClick={() => step(1)}>
                <ChevronDown aria-hidden className="size-4" />
              </HitButton>
            </>
          )}
        </search>
        {actions}
      </div>
      <TranscriptLines
        lines={lines}
        player={player}
        lanes={lanes}
        hits={hits}
        hit={hits[chosen] ?? null}
        lineActions={lineActions}
      />
      {note && <div className="border-t px-4 py-2 text-xs text-muted-foreground">{note}</div>}
    </div>
  );
}

const hitText = (index: number, count: number) =>
  count === 0 ? t('player.noHits') : t('player.hitOf', { index: index + 1, count });

function HitButton({
  name,
  onClick,
  children,
}: {
  name: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={onClick}
      className="grid size-8 shrink-0 place-items-center rounded-md text-muted-foreground hover:bg-muted hover:text-foreground"
    >
      {children}
    </button>
  );
}
