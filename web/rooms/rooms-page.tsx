import { Plus } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { CreateRoomDialog, createRoomParam } from '#web/rooms/create-room-dialog.tsx';
import { RoomList } from '#web/rooms/room-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function RoomsPage() {
  const mayCreate = useMay('rooms.create');
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
      <RoomList {...(mayCreate ? { onCreate: create } : {})} />
      {mayCreate && <CreateRoomDialog />}
    </>
  );
}
