import '#web/platform/links-texts.ts';
import { Archive, ArchiveRestore, KeyRound, Pencil } from 'lucide-react';
import { useState } from 'react';
import type { Room } from '#domain/rooms/contract.ts';
import { t } from '#web/platform/texts.ts';
import { useArchiveRoom, useRestoreRoom } from '#web/rooms/queries.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Menu } from '#web/ui/menu.tsx';

interface RoomMenuProps {
  room: Room;
  onEdit: () => void;
  onAccess: () => void;
}

export function RoomMenu({ room, onEdit, onAccess }: RoomMenuProps) {
  const [asking, setAsking] = useState(false);
  const archive = useArchiveRoom();
  const restore = useRestoreRoom();
  const { topic, status } = room;
  const label = t('rooms.menu', { topic });
  if (status === 'archived')
    return (
      <Menu
        label={label}
        items={[
          {
            title: t('common.restore'),
            icon: ArchiveRestore,
            disabled: restore.isPending,
            onSelect: () => restore.mutate(room),
          },
        ]}
      />
    );
  return (
    <>
      <Menu
        label={label}
        items={[
          { title: t('common.edit'), icon: Pencil, onSelect: onEdit },
          { title: t('links.access.menu'), icon: KeyRound, onSelect: onAccess },
          { title: t('common.archive'), icon: Archive, onSelect: () => setAsking(true) },
        ]}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('rooms.archive.title')}
        text={t('rooms.archive.text', { topic })}
        cancelLabel={t('common.cancel')}
        confirmLabel={archive.isPending ? t('rooms.archive.pending') : t('common.archive')}
        look="primary"
        pending={archive.isPending}
        onConfirm={() => archive.mutate(room, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}
