import '#web/platform/links-texts.ts';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import type { RoomId } from '#domain/ids.ts';
import type { NamedLink } from '#domain/links/contract.ts';
import { NewLinkForm } from '#web/links/new-link-form.tsx';
import { useLinkPages, useRevokeLink } from '#web/links/queries.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** A room's further links, beside its guest link. */
export function NamedLinks({ id }: { id: RoomId }) {
  const { rows, error, retry, isOutdated: _, ...further } = useLinkPages(id);
  const [asked, setAsked] = useState<NamedLink | null>(null);
  const revoke = useRevokeLink(id);
  if (error) return <LoadFailed error={error} onRetry={retry} />;
  if (!rows) return <Skeleton className="h-48" />;
  const links = rows.flat();
  return (
    <div className="grid gap-5">
      <NewLinkForm id={id} />
      {links.length === 0 ? (
        <div className="rounded-lg border">
          <EmptyState icon={Link2} title={t('links.list.empty')} text={t('links.list.emptyText')} />
        </div>
      ) : (
        <ul className="grid divide-y rounded-lg border">
          {links.map((link) => (
            <LinkRow key={link.id} link={link} onRevoke={() => setAsked(link)} />
          ))}
        </ul>
      )}
      <LoadMore
        label={t('links.list.more')}
        pendingLabel={t('links.list.loading')}
        look="plain"
        {...further}
      />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => open || setAsked(null)}
        title={t('links.revoke.title')}
        text={t('links.revoke.text', { name: asked?.name ?? '' })}
        cancelLabel={t('common.cancel')}
        confirmLabel={revoke.isPending ? t('links.revoke.pending') : t('links.revoke.button')}
        pending={revoke.isPending}
        onConfirm={() => asked && revoke.mutate(asked.id, { onSettled: () => setAsked(null) })}
      />
    </div>
  );
}

function LinkRow({ link, onRevoke }: { link: NamedLink; onRevoke: () => void }) {
  const { name, state, url, useCount } = link;
  return (
    <li className="grid gap-2 p-3">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 text-sm font-medium wrap-anywhere">{name}</p>
        <Badge look={state === 'valid' ? 'success' : 'outline'}>
          {t(`links.list.states.${state}`)}
        </Badge>
      </div>
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted-foreground">
        <span>{t('links.list.uses', { count: useCount })}</span>
        {link.singleUse && <span>{t('links.list.single')}</span>}
        <span>{expiryOf(link)}</span>
        <span>{madeBy(link)}</span>
      </p>
      {state === 'valid' && (
        <div className="flex flex-wrap gap-2">
          <CopyButton
            label={t('links.share.copyLink')}
            done={t('links.list.copied')}
            text={() => url}
          />
          <Button
            look="ghost"
            size="small"
            aria-label={t('links.revoke.label', { name })}
            onClick={onRevoke}
          >
            {t('links.revoke.button')}
          </Button>
        </div>
      )}
    </li>
  );
}

function expiryOf({ expiresAt, state }: NamedLink): string {
  if (expiresAt === null) return t('links.list.never');
  const time = formatDateTime(expiresAt);
  return t(state === 'expired' ? 'links.list.expired' : 'links.list.expires', { time });
}

function madeBy({ createdAt, createdBy }: NamedLink): string {
  const time = formatDateTime(createdAt);
  if (!createdBy) return t('links.list.made', { time });
  return t('links.list.madeBy', { time, name: createdBy.firstName || createdBy.email });
}
