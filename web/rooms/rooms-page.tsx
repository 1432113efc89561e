import { Plus } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { PersonalRoomCard } from '#web/links/personal-room-card.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { CreateRoomDialog, createRoomParam } from '#web/rooms/create-room-dialog.tsx';
import { accessParam, RoomList } from '#web/rooms/room-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function RoomsPage() {
  const mayCreate = useMay('rooms.create');
  const mayShare = useMay('rooms.share');
  const access = useAddressDialog(accessParam);
  const creating = useAddressDialog(createRoomParam);
  const create = () => creating.open();
  return (
    <>
      <title>{`${t('rooms.title')} · ${t('product')}`}</title>
      <PageHeader
        title={t('rooms.title')}
        subtitle={t('rooms.subtitle')}
        action={
          mayCreate && (
            <Button onClick={create}>
              <Plus aria-hidden className="size-4" />
              {t('rooms.create')}
            </Button>
          )
        }
      />
      {mayShare && <PersonalRoomCard onAccess={access.open} />}
      <RoomList {...(mayCreate ? { onCreate: create } : {})} />
      {mayCreate && <CreateRoomDialog />}
    </>
  );
}
