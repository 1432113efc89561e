import { Link2 } from 'lucide-react';
import type { RoomId } from '#domain/ids.ts';
import { t } from '#web/platform/texts.ts';
import { UncopiedLink } from '#web/rooms/uncopied-link.tsx';
import { useGuestLink } from '#web/rooms/use-guest-link.ts';
import { Button } from '#web/ui/button.tsx';

interface CopyGuestLinkButtonProps {
  roomId: RoomId;
  /** Shows only the icon on narrow screens. */
  short?: boolean;
}

export function CopyGuestLinkButton({ roomId, short = false }: CopyGuestLinkButtonProps) {
  const { copy, uncopied, forget } = useGuestLink(roomId);
  return (
    <>
      <Button
        look="outline"
        size="small"
        disabled={copy.isPending}
        onClick={() => copy.mutate()}
        aria-label={t('rooms.copyGuestLink')}
      >
        <Link2 aria-hidden className={short ? 'size-4' : 'size-4 max-sm:hidden'} />
        <span className={short ? 'hidden sm:inline' : undefined}>{t('rooms.copyGuestLink')}</span>
      </Button>
      <UncopiedLink link={uncopied} onClose={forget} />
    </>
  );
}
