import '#web/platform/links-texts.ts';
import { KeyRound, Pencil } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useRecordStep } from '#web/getting-started/queries.ts';
import { usePersonalRoom } from '#web/links/queries.ts';
import { ShareButton } from '#web/links/share-button.tsx';
import { RoomNowBadge } from '#web/notices/room-now-badge.tsx';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { t } from '#web/platform/texts.ts';
import { callPath } from '#web/rooms/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

const RenameDialog = lazy(() => import('#web/links/rename-personal-room-dialog.tsx'));

/** The reader's own room, with its permanent address. Hidden if it could not be loaded. */
export function PersonalRoomCard({ onAccess }: { onAccess: (id: string) => void }) {
  const { data } = usePersonalRoom();
  const [isRenaming, setRenaming] = useState(false);
  const { mutate: recordCopy } = useRecordStep('link_copied');
  if (!data) return null;
  const { roomId, topic, url } = data;
  return (
    <Card className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <h2 className="text-sm font-semibold">{t('links.personal.title')}</h2>
        <p className="text-xs text-muted-foreground">{t('links.personal.text')}</p>
        <p className="mt-1 text-sm wrap-anywhere">{url}</p>
        <RoomNowBadge roomId={roomId} />
      </div>
      <div className="flex flex-wrap items-center gap-x-0.5 gap-y-1.5 sm:gap-x-1.5">
        <Link to={callPath(roomId)} className={buttonClass({ size: 'small' })}>
          {t('links.personal.join')}
        </Link>
        <CopyButton
          label={t('links.personal.copy')}
          done={t('links.personal.copied')}
          text={() => url}
          onCopied={() => recordCopy()}
        />
        <ShareButton room={{ id: roomId, topic }} url={url} />
        <Button
          look="ghost"
          size="icon"
          className="size-8"
          aria-label={t('links.access.menu')}
          title={t('links.access.menu')}
          onClick={() => onAccess(roomId)}
        >
          <KeyRound aria-hidden className="size-4" />
        </Button>
        <Button
          look="ghost"
          size="icon"
          className="size-8"
          aria-label={t('links.personal.rename')}
          title={t('links.personal.rename')}
          onClick={() => setRenaming(true)}
        >
          <Pencil aria-hidden className="size-4" />
        </Button>
      </div>
      {isRenaming && (
        <Suspense>
          <RenameDialog room={data} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </Card>
  );
}
