import '#web/platform/player-texts.ts';
import type { OfferedSpeechModel } from '#domain/speech-models/contract.ts';
import { t } from '#web/platform/texts.ts';
import { megabytes } from '#web/speech-models/model-texts.ts';

/** A screen reader hears of every so many percent. */
const announcedStep = 25;

/** Chromium and Safari draw a rounded bar in their own green unless its parts have a color. */
const barClass =
  'h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-muted [&::-moz-progress-bar]:bg-brand-edge [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:bg-brand-edge';

/** How far a download is, or why it has failed. */
export function ModelState({ model }: { model: OfferedSpeechModel }) {
  const { kind } = model.state;
  const percent = percentOf(model);
  return (
    <>
      {kind !== 'absent' && kind !== 'ready' && (
        <div className="grid gap-1.5">
          {percent !== null && (
            <>
              <progress
                max={100}
                value={percent}
                aria-label={t('transcript.models.progressOf', { name: model.name })}
                className={barClass}
              />
              <p className="text-muted-foreground tabular-nums">{progressText(model, percent)}</p>
            </>
          )}
          <Explanation model={model} />
        </div>
      )}
      <p role="status" className="sr-only">
        {announcement(model, percent)}
      </p>
    </>
  );
}

function Explanation({ model: { state } }: { model: OfferedSpeechModel }) {
  switch (state.kind) {
    case 'waiting':
    case 'verifying':
    case 'interrupted':
      return <p className="text-muted-foreground">{t(`transcript.models.about.${state.kind}`)}</p>;
    case 'failed':
      return <p className="text-destructive">{t(`transcript.models.reason.${state.reason}`)}</p>;
    default:
      return null;
  }
}

function percentOf({ state, sizeBytes }: OfferedSpeechModel): number | null {
  return 'receivedBytes' in state ? Math.floor((state.receivedBytes / sizeBytes) * 100) : null;
}

const progressText = ({ state, sizeBytes }: OfferedSpeechModel, percent: number): string =>
  t('transcript.models.progress', {
    received: megabytes('receivedBytes' in state ? state.receivedBytes : 0),
    size: megabytes(sizeBytes),
    percent,
  });

/** Changes with the state, and a few times while it is fetched. */
function announcement({ name, state }: OfferedSpeechModel, percent: number | null): string {
  if (state.kind === 'absent') return '';
  const said = t(`transcript.models.state.${state.kind}`);
  const reason = state.kind === 'failed' ? ` ${t(`transcript.models.reason.${state.reason}`)}` : '';
  if (percent === null) return `${name}: ${said}.${reason}`;
  const step = Math.floor(percent / announcedStep) * announcedStep;
  return t('transcript.models.announced', { name, state: said, percent: step });
}
