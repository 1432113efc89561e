import '#web/platform/player-texts.ts';
import { type RefObject, useRef, useState } from 'react';
import type { OfferedSpeechModel } from '#domain/speech-models/contract.ts';
import { t } from '#web/platform/texts.ts';
import { ModelState } from '#web/speech-models/model-state.tsx';
import { languageNames, megabytes } from '#web/speech-models/model-texts.ts';
import { useFetchSpeechModel, useRemoveSpeechModel } from '#web/speech-models/queries.ts';
import { Badge, type BadgeLook } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** A model: what it is, how far its download is, and what an admin can do with it. */
export function ModelRow({ model }: { model: OfferedSpeechModel }) {
  const { name, license, languages, sizeBytes, files } = model;
  const heading = useRef<HTMLHeadingElement>(null);
  const hosts = [...new Set(files.map(({ host }) => host))];
  return (
    <li className="grid gap-4 p-5 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3
          ref={heading}
          tabIndex={-1}
          className="flex min-w-0 flex-wrap items-center gap-2 font-medium wrap-anywhere outline-none"
        >
          {name}
          <StateBadge model={model} />
        </h3>
        <Actions model={model} heading={heading} />
      </div>
      <ModelState model={model} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name={t('transcript.models.size')} value={megabytes(sizeBytes)} />
        <Fact name={t('transcript.models.license')} value={license} />
        <Fact name={t('transcript.models.languages')} value={languageNames(languages)} />
        <Fact name={t('transcript.models.source')} value={hosts.join(', ')} />
      </dl>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-muted-foreground">
          {t('transcript.models.checksums')}
        </summary>
        <dl className="mt-2 grid gap-2">
          {files.map((file) => (
            <div key={file.name}>
              <dt>{t('transcript.models.file', { ...file, size: megabytes(file.sizeBytes) })}</dt>
              <dd className="font-mono text-xs break-all text-muted-foreground">{file.sha256}</dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </>
  );
}

const looks: Partial<Record<OfferedSpeechModel['state']['kind'], BadgeLook>> = {
  ready: 'success',
  failed: 'destructive',
  absent: 'outline',
};

function StateBadge({ model: { state, isUsed } }: { model: OfferedSpeechModel }) {
  return (
    <Badge look={looks[state.kind] ?? 'secondary'}>
      {isUsed ? t('transcript.models.used') : t(`transcript.models.state.${state.kind}`)}
    </Badge>
  );
}

interface ActionsProps {
  model: OfferedSpeechModel;
  /** Receives the focus of a button that goes away. */
  heading: RefObject<HTMLHeadingElement | null>;
}

function Actions({ model: { name, state, sizeBytes }, heading }: ActionsProps) {
  const [asks, setAsks] = useState(false);
  const focusHeading = () => heading.current?.focus();
  const fetching = useFetchSpeechModel(name, focusHeading);
  const removing = useRemoveSpeechModel(name, () => {
    setAsks(false);
    focusHeading();
  });
  const hasFailed = state.kind === 'failed';
  return (
    <div className="flex flex-wrap gap-2">
      {(state.kind === 'absent' || hasFailed) && (
        <Button
          size="small"
          aria-label={t(
            hasFailed ? 'transcript.models.againNamed' : 'transcript.models.fetchNamed',
            { name },
          )}
          disabled={fetching.isPending}
          onClick={() => fetching.mutate(undefined)}
        >
          {t(hasFailed ? 'transcript.models.again' : 'transcript.models.fetch')}
        </Button>
      )}
      {(state.kind === 'ready' || hasFailed) && (
        <Button
          size="small"
          look="outline"
          aria-label={t('transcript.models.removeNamed', { name })}
          onClick={() => setAsks(true)}
        >
          {t('transcript.models.remove')}
        </Button>
      )}
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('transcript.models.removeTitle', { name })}
        text={t('transcript.models.removeText', { size: megabytes(sizeBytes) })}
        cancelLabel={t('transcript.models.cancel')}
        confirmLabel={t('transcript.models.remove')}
        pending={removing.isPending}
        onConfirm={() => removing.mutate(undefined)}
      />
    </div>
  );
}
