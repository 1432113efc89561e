import { t } from '#web/platform/texts.ts';
import { CreatePlaybookForm } from '#web/playbooks/create-playbook-form.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface CreatePlaybookDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreatePlaybookDialog({ open, onOpenChange }: CreatePlaybookDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('playbooks.dialog.title')}
      description={t('playbooks.dialog.text')}
      closeLabel={t('common.close')}
      closesOutside={false}
    >
      <CreatePlaybookForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
