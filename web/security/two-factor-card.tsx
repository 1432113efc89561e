import '#web/platform/security-texts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currentUserQuery } from '#web/auth/queries.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import {
  useRemoveTwoFactor,
  useRenewRecoveryCodes,
  useStartTwoFactor,
  useTwoFactor,
} from '#web/security/queries.ts';
import { RecoveryCodes } from '#web/security/recovery-codes.tsx';
import { TwoFactorSetup } from '#web/security/two-factor-setup.tsx';
import { useConfirmed } from '#web/security/use-confirmed.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Turns the person's second factor on and off, and shows its recovery codes. */
export function TwoFactorCard() {
  return (
    <Card>
      <CardHeader title={t('security.twoFactor.title')} />
      <div className="p-5">
        <TwoFactor />
      </div>
    </Card>
  );
}

/** The same without a card, for the page that requires a second factor. */
export function TwoFactor() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useTwoFactor();
  const [codes, setCodes] = useState<string[] | null>(null);
  const start = useStartTwoFactor();
  const { run, dialog } = useConfirmed();
  if (codes) {
    const done = () => {
      setCodes(null);
      void refetch();
      void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    };
    return <RecoveryCodes codes={codes} onDone={done} />;
  }
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-16" />;
  if (data.enabledAt)
    return <Enabled since={data.enabledAt} left={data.recoveryCodesLeft} onCodes={setCodes} />;
  if (start.data)
    return <TwoFactorSetup started={start.data} onCancel={start.reset} onEnabled={setCodes} />;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-48 flex-1 text-sm text-muted-foreground">{t('security.twoFactor.off')}</p>
      <Button disabled={start.isPending} onClick={() => run(() => start.mutateAsync())}>
        {t('security.twoFactor.start')}
      </Button>
      {dialog}
    </div>
  );
}

interface EnabledProps {
  since: string;
  left: number;
  onCodes: (codes: string[]) => void;
}

const fewCodes = 3;

function Enabled({ since, left, onCodes }: EnabledProps) {
  const remove = useRemoveTwoFactor();
  const renew = useRenewRecoveryCodes();
  const [asking, setAsking] = useState(false);
  const { run, dialog } = useConfirmed();
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted-foreground">
        {t('security.twoFactor.on', { time: formatDateTime(since), count: left })}
        {left < fewCodes && ` ${t('security.twoFactor.few')}`}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          look="outline"
          disabled={renew.isPending}
          onClick={() => run(async () => onCodes((await renew.mutateAsync()).recoveryCodes))}
        >
          {t('security.twoFactor.renew')}
        </Button>
        <Button look="outline" onClick={() => setAsking(true)}>
          {t('security.twoFactor.remove')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('security.twoFactor.removeTitle')}
        text={t('security.twoFactor.removeText')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('security.twoFactor.remove')}
        onConfirm={() => {
          setAsking(false);
          run(() => remove.mutateAsync());
        }}
      />
      {dialog}
    </div>
  );
}
