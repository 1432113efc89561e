import { PhoneOff } from 'lucide-react';
import { useState } from 'react';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

export function EndForEveryoneButton({ onEnd }: { onEnd: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        look="outline"
        size="small"
        aria-label={t('call.endForEveryone')}
        onClick={() => setAsking(true)}
      >
        <PhoneOff aria-hidden className="size-4" />
        <span className="hidden md:inline">{t('call.endForEveryone')}</span>
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('call.endForEveryoneTitle')}
        text={t('call.endForEveryoneText')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('call.endForEveryone')}
        onConfirm={onEnd}
      />
    </>
  );
}
