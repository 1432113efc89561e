import { clsx } from 'clsx';
import { CircleAlert, Clock, Disc, LoaderCircle, type LucideIcon, Trash2 } from 'lucide-react';
import type { Recording } from '#domain/recordings/contract.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

/**
 * What there is to say of a recording that is not, or not wholly, ready; null where there is nothing.
 * @param retry has the failed files prepared again; absent for those who may not
 */
export function recordingNotice(recording: Recording, retry: (() => unknown) | undefined) {
  const { state } = recording;
  if (state === 'recording')
    return (
      <Notice
        icon={Disc}
        iconClass="text-destructive"
        title={t('player.state.recording')}
        text={t('player.state.recordingText')}
      />
    );
  if (state === 'processing')
    return (
      <Notice
        icon={LoaderCircle}
        iconClass="animate-spin motion-reduce:animate-none"
        title={t('player.state.processing')}
        text={progressOf(recording)}
      />
    );
  if (state === 'partial')
    return (
      <Notice
        icon={CircleAlert}
        iconClass="text-warning"
        title={partialText(recording)}
        retry={retry}
      />
    );
  if (state === 'failed')
    return (
      <Notice
        icon={CircleAlert}
        iconClass="text-destructive"
        title={t('player.state.failed')}
        text={t('player.state.failedText')}
        retry={retry}
      />
    );
  if (state === 'expired') return <Notice icon={Clock} title={t('player.state.expired')} />;
  if (state === 'deleted') return <Notice icon={Trash2} title={t('player.state.deleted')} />;
  return null;
}

const filesOf = ({ people }: Recording) =>
  people.flatMap(({ name, tracks }) =>
    tracks.flatMap(({ files }) => files.map(({ state }) => ({ name, state }))),
  );

function progressOf(recording: Recording): string {
  const files = filesOf(recording);
  if (files.length === 0) return t('player.state.processingSoon');
  const ready = files.filter(({ state }) => state !== 'waiting').length;
  return t('player.state.processingText', { ready, all: files.length });
}

function partialText(recording: Recording): string {
  const failed = filesOf(recording).filter(({ state }) => state === 'failed');
  const names = [...new Set(failed.map(({ name }) => name))].join(', ');
  return names ? t('player.state.partialOf', { names }) : t('player.state.partial');
}

interface NoticeProps {
  icon: LucideIcon;
  iconClass?: string;
  title: string;
  text?: string;
  retry?: (() => unknown) | undefined;
}

function Notice({ icon: Icon, iconClass, title, text, retry }: NoticeProps) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3 text-sm">
      <Icon aria-hidden className={clsx('size-4 shrink-0', iconClass ?? 'text-muted-foreground')} />
      <p className="min-w-0 flex-1 wrap-anywhere">
        <span className={clsx(text && 'font-medium')}>{title}</span>
        {text && <span className="block text-muted-foreground">{text}</span>}
      </p>
      {retry && (
        <Button look="outline" size="small" onClick={() => void retry()}>
          {t('common.tryAgain')}
        </Button>
      )}
    </div>
  );
}
