import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';

interface UnavailableDialogProps {
  title: string;
  text: string;
  onClose: () => void;
}

/** Says why an integration cannot be connected here. */
export function UnavailableDialog({ title, text, onClose }: UnavailableDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      description={text}
      closeLabel={t('common.close')}
    >
      <DialogActions>
        <Button look="outline" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
