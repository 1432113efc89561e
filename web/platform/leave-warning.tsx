import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { holdBack } from '#web/platform/hold-back.ts';
import { t } from '#web/platform/texts.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

interface LeaveWarningProps {
  isUnsaved: boolean;
  /** Called before the page is left for good. */
  onLeave?: () => void;
}

/** Asks before the page is left while it has unsaved changes. */
export function LeaveWarning({ isUnsaved, onLeave }: LeaveWarningProps) {
  const navigate = useNavigate();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  // After the decision, nothing is held back.
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (isUnsaved && !isLeaving) return holdBack(navigate, (go) => setLeave(() => go));
  }, [isUnsaved, isLeaving, navigate]);
  useEffect(() => {
    if (isLeaving) leave?.();
  }, [isLeaving, leave]);
  // A page with a dialog stays open: the next unsaved input asks again.
  useEffect(() => {
    if (isUnsaved) return;
    setLeaving(false);
    setLeave(null);
  }, [isUnsaved]);
  return (
    <ConfirmDialog
      open={leave !== null && !isLeaving}
      onOpenChange={(open) => open || setLeave(null)}
      title={t('forms.unsaved.title')}
      text={t('forms.unsaved.text')}
      cancelLabel={t('forms.unsaved.stay')}
      confirmLabel={t('forms.unsaved.leave')}
      onConfirm={() => {
        onLeave?.();
        setLeaving(true);
      }}
    />
  );
}
