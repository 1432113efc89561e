import type { Playbook } from '#domain/playbooks/contract.ts';
import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';

const previewItems = 3;

export function PlaybookCard({ playbook }: { playbook: Playbook }) {
  const { title, description, checklistItems } = playbook;
  const items = checklistItems.toSorted((a, b) => a.order - b.order);
  const more = items.length - previewItems;
  return (
    <Card className="flex flex-col gap-4 p-5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-sm font-semibold break-words">{title}</h2>
          {description && (
            <p className="mt-1 line-clamp-3 text-sm text-muted-foreground">{description}</p>
          )}
        </div>
        <Badge look="secondary">{t('playbooks.items', { count: items.length })}</Badge>
      </div>
      <ul className="grid gap-2 text-sm">
        {items.slice(0, previewItems).map(({ id, text }) => (
          <li key={id} className="flex gap-2.5">
            <span aria-hidden className="mt-1 size-3.5 shrink-0 rounded-sm border-2" />
            <span className="min-w-0 break-words">{text}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="text-xs text-muted-foreground">{t('playbooks.moreItems', { count: more })}</p>
      )}
    </Card>
  );
}
