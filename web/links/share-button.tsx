import '#web/platform/links-texts.ts';
import { QrCode } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { RoomId } from '#domain/ids.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

const ShareDialog = lazy(() => import('#web/links/share-dialog.tsx'));

interface ShareButtonProps {
  room: { id: RoomId; topic: string };
  /** The readable address of a personal room; without it the room's guest link is shared. */
  url?: string;
}

/** Opens the room's link as a QR code and as a text to send. The dialog is loaded on first use. */
export function ShareButton({ room, url }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  return (
    <>
      <Tooltip text={t('links.share.button')}>
        <Button
          look="ghost"
          size="icon"
          className="size-8"
          aria-label={t('links.share.button')}
          onClick={() => {
            setWanted(true);
            setOpen(true);
          }}
        >
          <QrCode aria-hidden className="size-4" />
        </Button>
      </Tooltip>
      {isWanted && (
        <Suspense>
          <ShareDialog
            room={room}
            {...(url ? { url } : {})}
            open={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
