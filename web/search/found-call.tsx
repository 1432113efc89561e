import {
  CheckSquare,
  type LucideIcon,
  MessageCircle,
  Mic,
  NotebookPen,
  Sparkles,
} from 'lucide-react';
import { Link } from 'react-router';
import type { FoundCall, Hit, HitKind } from '#domain/search/contract.ts';
import { callDetailsPath } from '#web/calls/paths.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { timeText } from '#web/player/time-text.ts';
import { SampleMark } from '#web/samples/sample-mark.tsx';
import { MarkedText } from '#web/search/marked-text.tsx';
import { Card } from '#web/ui/card.tsx';

const icons: Record<HitKind, LucideIcon> = {
  ...{ line: Mic, chat: MessageCircle, note: NotebookPen, action: CheckSquare, insight: Sparkles },
};

interface FoundCallProps {
  call: FoundCall;
  /** The search of all matches in this call; null where they are shown already. */
  allPath: string | null;
}

/** A call with what matches in it, each a link to its second. */
export function FoundCallCard({ call, allPath }: FoundCallProps) {
  const { id, room, agent, startedAt, sample, hits, hasMore } = call;
  const time = formatDateTime(startedAt);
  return (
    <Card className="min-w-0">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-0.5 border-b px-5 py-3">
        <h2 className="text-sm font-semibold wrap-anywhere">
          <Link to={callDetailsPath(id)} className="rounded hover:underline">
            {room.topic}
          </Link>
        </h2>
        <SampleMark shown={sample} />
        <p className="basis-full text-xs text-muted-foreground">
          {agent ? t('search.byline', { time, agent: agent.name }) : time}
        </p>
      </header>
      <ul className="p-2">
        {hits.map((hit, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hits have no id, and stay in their order.
          <li key={at}>
            <HitLink path={callDetailsPath(id)} hit={hit} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <p className="border-t px-5 py-2.5 text-sm">
          {allPath ? (
            <Link to={allPath} className="rounded text-brand-ink hover:underline">
              {t('search.inCall')}
            </Link>
          ) : (
            <span className="text-muted-foreground">
              {t('search.firstOfCall', { count: hits.length })}
            </span>
          )}
        </p>
      )}
    </Card>
  );
}

function HitLink({
  path,
  hit: { kind, speaker, startMs, text, marks },
}: {
  path: string;
  hit: Hit;
}) {
  const Icon = icons[kind];
  const at = startMs === null ? null : timeText(startMs);
  return (
    <Link
      to={startMs === null ? path : `${path}?t=${Math.floor(startMs / 1000)}`}
      data-hit
      className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 rounded-lg px-3 py-2 text-sm hover:bg-muted"
    >
      <Icon aria-hidden className="mt-0.5 size-4 text-muted-foreground" />
      <span className="grid gap-0.5">
        <span className="flex flex-wrap gap-x-2 text-xs text-muted-foreground">
          <span>{t(`search.kinds.${kind}`)}</span>
          {speaker && <span className="font-medium text-foreground wrap-anywhere">{speaker}</span>}
          {at && <span className="tabular-nums">{at}</span>}
        </span>
        <MarkedText text={text} marks={marks} />
      </span>
    </Link>
  );
}
