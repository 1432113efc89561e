import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { holdBack } from '#web/platform/hold-back.ts';
import { t } from '#web/platform/texts.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** Asks before the page is left while something on it is not saved. */
export function LeaveWarning({ isUnsaved }: { isUnsaved: boolean }) {
  const navigate = useNavigate();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  // Once it is decided, nothing is held back any more.
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (isUnsaved && !isLeaving) return holdBack(navigate, (go) => setLeave(() => go));
  }, [isUnsaved, isLeaving, navigate]);
  useEffect(() => {
    if (isLeaving) leave?.();
  }, [isLeaving, leave]);
  return (
    <ConfirmDialog
      open={leave !== null && !isLeaving}
      onOpenChange={(open) => open || setLeave(null)}
      title={t('settings.unsaved.title')}
      text={t('settings.unsaved.text')}
      cancelLabel={t('settings.unsaved.stay')}
      confirmLabel={t('settings.unsaved.leave')}
      onConfirm={() => setLeaving(true)}
    />
  );
}
