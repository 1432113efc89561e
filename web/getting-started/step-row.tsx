import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FirstStep } from '#domain/getting-started/contract.ts';
import { t } from '#web/platform/texts.ts';

interface StepRowProps {
  step: FirstStep;
  isDone: boolean;
  /** The way to take the step. */
  children: ReactNode;
}

export function StepRow({ step, isDone, children }: StepRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <span
        className={clsx(
          'grid size-5 shrink-0 place-items-center self-start rounded-full',
          isDone ? 'bg-success/15 text-success' : 'border-2',
        )}
      >
        {isDone && <Check aria-hidden className="size-3.5" />}
        <span className="sr-only">{t(isDone ? 'start.done' : 'start.open')}</span>
      </span>
      <div className="min-w-44 flex-1">
        <p className={clsx('text-sm font-medium', isDone && 'text-muted-foreground')}>
          {t(`start.steps.${step}.title`)}
        </p>
        {!isDone && (
          <p className="mt-0.5 text-sm text-muted-foreground">{t(`start.steps.${step}.text`)}</p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 empty:hidden max-sm:ml-9">{children}</div>
    </li>
  );
}
