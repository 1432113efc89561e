import { t } from '#web/platform/texts.ts';
import { CreateRoomForm } from '#web/rooms/create-room-form.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface CreateRoomDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateRoomDialog({ open, onOpenChange }: CreateRoomDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('rooms.dialog.title')}
      description={t('rooms.dialog.text')}
      closeLabel={t('common.close')}
      closesOutside={false}
    >
      <CreateRoomForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}
