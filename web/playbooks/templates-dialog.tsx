import { t } from '#web/platform/texts.ts';
import { TemplateList } from '#web/playbooks/template-list.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface TemplatesDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Closes once a template was used. */
export default function TemplatesDialog({ open, onClose }: TemplatesDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t('playbooks.templates.title')}
      description={t('playbooks.templates.text')}
      closeLabel={t('common.close')}
    >
      <TemplateList onUsed={onClose} />
    </Dialog>
  );
}
