import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { CreateRoomDialog } from '#web/rooms/create-room-dialog.tsx';
import { RoomGrid } from '#web/rooms/room-grid.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function RoomsPage() {
  const mayCreate = useMay('rooms.create');
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
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
      <RoomGrid {...(mayCreate ? { onCreate: create } : {})} />
      <CreateRoomDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
