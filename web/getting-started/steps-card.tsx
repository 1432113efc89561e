import { useIsMutating } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { firstSteps, type GettingStarted } from '#domain/getting-started/contract.ts';
import { useRecordStep, useRefreshGettingStarted } from '#web/getting-started/queries.ts';
import { StepAction } from '#web/getting-started/step-action.tsx';
import { StepRow } from '#web/getting-started/step-row.tsx';
import { t } from '#web/platform/texts.ts';
import { TemplatesAtAddress } from '#web/playbooks/templates-at-address.tsx';
import { SamplesLine } from '#web/samples/samples-line.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { toast } from '#web/ui/toast-store.ts';

interface StepsCardProps {
  started: GettingStarted;
  /** Given if the address shows the list. */
  onClose?: () => void;
}

export default function StepsCard({ started, onClose }: StepsCardProps) {
  const { done, isShown, samplesLoadedAt } = started;
  const dismissal = useRecordStep('dismissed');
  useRefreshAfterChanges();
  const count = firstSteps.filter((step) => done[step]).length;
  const isAllDone = count === firstSteps.length;
  const next = firstSteps.find((step) => !done[step]);
  const dismiss = () => {
    onClose?.();
    if (!isShown) return;
    dismissal.mutate();
    toast({ title: t('start.dismissed'), description: t('start.dismissedText') });
  };
  return (
    <Card>
      <div className="flex items-start justify-between gap-3 px-5 pt-5">
        <div>
          <h2 className="text-base font-semibold">
            {t(isAllDone ? 'start.allDone' : 'start.title')}
          </h2>
          <p className="mt-0.5 text-sm text-muted-foreground">
            {isAllDone
              ? t('start.allDoneText')
              : t('start.progress', { count, total: firstSteps.length })}
          </p>
        </div>
        <Button look="ghost" size="icon" aria-label={t('start.dismiss')} onClick={dismiss}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <div aria-hidden className="mx-5 mt-4 h-1.5 overflow-hidden rounded-full bg-muted">
        <div
          className="h-full rounded-full bg-brand transition-[width] duration-200 motion-reduce:transition-none"
          style={{ width: `${(100 * count) / firstSteps.length}%` }}
        />
      </div>
      <ol className="mt-2 divide-y px-5">
        {firstSteps.map((step) => (
          <StepRow key={step} step={step} isDone={done[step]}>
            <StepAction step={step} isDone={done[step]} isNext={step === next} />
          </StepRow>
        ))}
      </ol>
      <div className="border-t px-5 py-3 empty:hidden">
        <SamplesLine areLoaded={samplesLoadedAt !== null} />
      </div>
      <TemplatesAtAddress />
    </Card>
  );
}

/** Whatever was changed on this page may have been a step. */
function useRefreshAfterChanges(): void {
  const refresh = useRefreshGettingStarted();
  const isChanging = useIsMutating() > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `refresh` is new at every render.
  useEffect(() => {
    if (!isChanging) void refresh();
  }, [isChanging]);
}
