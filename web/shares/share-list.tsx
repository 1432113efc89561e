import { Film, Scissors } from 'lucide-react';
import { useState } from 'react';
import type { CallId } from '#domain/ids.ts';
import type { Share } from '#domain/shares/contract.ts';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { timeText } from '#web/player/time-text.ts';
import { useRevokeShare, useShares } from '#web/shares/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** The links under which a call's recording is shared; nothing without any. */
export function ShareList({ callId }: { callId: CallId }) {
  const { data: shares = [] } = useShares(callId);
  const mayRevoke = useMay('recordings.share');
  const [asked, setAsked] = useState<Share | null>(null);
  const revoke = useRevokeShare(callId);
  if (shares.length === 0) return null;
  return (
    <Card className="print:hidden">
      <CardHeader title={t('player.sharing.list')} />
      <ul className="divide-y">
        {shares.map((share) => (
          <li key={share.id} className="flex items-center gap-3 px-5 py-3 text-sm">
            <Row share={share} />
            {mayRevoke && (
              <Button
                look="outline"
                size="small"
                aria-label={t('player.sharing.revokeOf', { name: nameOf(share) })}
                onClick={() => setAsked(share)}
              >
                {t('player.sharing.revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => open || setAsked(null)}
        title={t('player.sharing.revokeTitle')}
        text={t('player.sharing.revokeText')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('player.sharing.revoke')}
        pending={revoke.isPending}
        onConfirm={() => asked && revoke.mutate(asked.id, { onSettled: () => setAsked(null) })}
      />
    </Card>
  );
}

const nameOf = ({ title, clip }: Share) =>
  title ?? t(clip ? 'player.sharing.clip' : 'player.sharing.extents.all');

function Row({ share }: { share: Share }) {
  const { clip, createdBy, expiresAt, lastViewedAt } = share;
  const Icon = clip ? Scissors : Film;
  return (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{nameOf(share)}</p>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted-foreground">
          {clip && (
            <span className="tabular-nums">
              {timeText(clip.startMs)} – {timeText(clip.endMs)}
            </span>
          )}
          {createdBy && <span>{t('player.sharing.by', { name: createdBy })}</span>}
          <span>{t('player.sharing.until', { time: formatDateTime(expiresAt) })}</span>
          <span>
            {lastViewedAt
              ? t('player.sharing.viewed', { time: formatDateTime(lastViewedAt) })
              : t('player.sharing.notViewed')}
          </span>
        </p>
      </div>
    </>
  );
}
