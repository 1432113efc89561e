import { Link } from 'react-router';
import type { Playbook } from '#domain/playbooks/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { serverNow } from '#web/platform/clock.ts';
import { preloadPage } from '#web/platform/preload-page.ts';
import { t } from '#web/platform/texts.ts';
import { timeAgo } from '#web/platform/time-ago.ts';
import { playbookPath } from '#web/playbooks/paths.ts';
import { PlaybookMenu } from '#web/playbooks/playbook-menu.tsx';
import { SampleMark } from '#web/samples/sample-mark.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';

const previewItems = 3;

interface PlaybookCardProps {
  playbook: Playbook;
  onEdit: () => void;
}

export function PlaybookCard({ playbook, onEdit }: PlaybookCardProps) {
  const mayChange = useMay('playbooks.update');
  const { title, description, checklistItems, archivedAt, archivedBy, sample } = playbook;
  const items = checklistItems.toSorted((a, b) => a.order - b.order);
  const more = items.length - previewItems;
  return (
    <Card className="flex flex-col gap-4 p-5">
      <div>
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 text-sm font-semibold" title={title}>
            <Link
              to={playbookPath(playbook.id)}
              onPointerEnter={() => preloadPage('playbook')}
              className="line-clamp-3 rounded wrap-anywhere hover:underline"
            >
              {title}
            </Link>
          </h2>
          <div className="-mt-1.5 -mr-2 flex items-center gap-1">
            <SampleMark shown={sample} />
            <Badge look="secondary">{t('playbooks.items', { count: items.length })}</Badge>
            {mayChange && !sample && <PlaybookMenu playbook={playbook} onEdit={onEdit} />}
          </div>
        </div>
        {description && (
          <p className="mt-1 line-clamp-3 text-sm wrap-anywhere text-muted-foreground">
            {description}
          </p>
        )}
        {archivedAt && (
          <p className="mt-1 text-xs wrap-anywhere text-muted-foreground">
            {t('playbooks.archivedAgo', {
              time: timeAgo(archivedAt, new Date(serverNow())) ?? t('playbooks.justNow'),
            })}
            {archivedBy &&
              ` ${t('playbooks.by', { name: archivedBy.firstName || archivedBy.email })}`}
          </p>
        )}
      </div>
      <ul className="grid grid-cols-1 gap-2 text-sm">
        {items.slice(0, previewItems).map(({ id, text }) => (
          <li key={id} className="flex min-w-0 gap-2.5">
            <span aria-hidden className="mt-1 size-3.5 shrink-0 rounded-sm border-2" />
            <span className="line-clamp-3 min-w-0 wrap-anywhere" title={text}>
              {text}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="text-xs text-muted-foreground">{t('playbooks.moreItems', { count: more })}</p>
      )}
    </Card>
  );
}
