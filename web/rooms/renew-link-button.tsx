import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { Room } from '#domain/rooms/contract.ts';
import { t } from '#web/platform/texts.ts';
import { UncopiedLink } from '#web/rooms/uncopied-link.tsx';
import { useGuestLink } from '#web/rooms/use-guest-link.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

export function RenewLinkButton({ room }: { room: Pick<Room, 'id' | 'topic'> }) {
  const [asking, setAsking] = useState(false);
  const { renew, uncopied, forget } = useGuestLink(room.id);
  return (
    <>
      <Tooltip text={t('rooms.renewLink')}>
        <Button
          look="ghost"
          size="icon"
          className="size-8"
          aria-label={t('rooms.renewLink')}
          onClick={() => setAsking(true)}
        >
          <RefreshCw aria-hidden className="size-4" />
        </Button>
      </Tooltip>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('rooms.renew.title')}
        text={t('rooms.renew.text', { topic: room.topic })}
        cancelLabel={t('common.cancel')}
        confirmLabel={renew.isPending ? t('rooms.renew.pending') : t('rooms.renew.confirm')}
        pending={renew.isPending}
        onConfirm={() => renew.mutate(undefined, { onSettled: () => setAsking(false) })}
      />
      <UncopiedLink link={uncopied} onClose={forget} />
    </>
  );
}
