import { z } from 'zod';
import type { OutputOf } from '#domain/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { type createShare, createShareBody, shareDays } from '#domain/shares/contract.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { timeIn, timeText } from '#web/player/time-text.ts';
import { useCreateShare } from '#web/shares/queries.ts';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

/** A clip as the form proposes it. */
const proposedClipMs = 30_000;

const fields = z.object({
  extent: z.enum(['all', 'clip']),
  title: z.string(),
  start: z.string(),
  end: z.string(),
  expiresInDays: z.string(),
});
type Values = z.infer<typeof fields>;

const bodyOf = ({ extent, title, start, end, expiresInDays }: Values) => ({
  ...(title.trim() && { title }),
  ...(extent === 'clip' && { clip: { startMs: timeIn(start), endMs: timeIn(end) } }),
  expiresInDays: shareDays.find((days) => String(days) === expiresInDays) ?? 7,
});
const resolver = formResolver(
  fields.check(({ value, issues }) => {
    for (const { path, message } of createShareBody.safeParse(bodyOf(value)).error?.issues ?? []) {
      const field = path.includes('endMs') ? ['end'] : path;
      issues.push({ code: 'custom', message, path: field, input: value });
    }
  }),
);

interface ShareFormProps {
  callId: CallId;
  /** Where playback is: where a clip begins. */
  positionMs: number;
  durationMs: number;
  onMade: (share: OutputOf<typeof createShare>) => void;
}

export function ShareForm({ callId, positionMs, durationMs, onMade }: ShareFormProps) {
  const { mutateAsync, isPending } = useCreateShare(callId);
  const draft = useDraftForm({
    draft: `share:${callId}`,
    resolver,
    values: {
      extent: 'all',
      title: '',
      start: timeText(positionMs),
      end: timeText(Math.min(positionMs + proposedClipMs, durationMs)),
      expiresInDays: '7',
    } as Values,
    send: (values: Values) => mutateAsync(bodyOf(values)),
    onSent: onMade,
  });
  const { register, watch, formState } = draft.form;
  const { errors } = formState;
  const isClip = watch('extent') === 'clip';
  return (
    <DraftForm
      draft={draft}
      isPending={isPending}
      texts={{ submit: t('player.sharing.create'), pending: t('player.sharing.creating') }}
    >
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">{t('player.sharing.extent')}</legend>
        {(['all', 'clip'] as const).map((extent) => (
          <label key={extent} className="flex items-center gap-2 text-sm">
            <input
              type="radio"
              value={extent}
              {...register('extent')}
              className="size-4 accent-brand-edge"
            />
            {t(`player.sharing.extents.${extent}`)}
          </label>
        ))}
      </fieldset>
      {isClip && (
        <>
          <div className="grid grid-cols-2 gap-3">
            <Field label={t('player.sharing.start')} error={errors.start?.message}>
              {(input) => (
                <input
                  {...input}
                  {...register('start')}
                  inputMode="numeric"
                  className={inputClass}
                />
              )}
            </Field>
            <Field label={t('player.sharing.end')} error={errors.end?.message}>
              {(input) => (
                <input {...input} {...register('end')} inputMode="numeric" className={inputClass} />
              )}
            </Field>
          </div>
          <p className="text-xs text-muted-foreground">{t('player.sharing.clipHint')}</p>
        </>
      )}
      <Field
        label={t('player.sharing.name')}
        note={t('player.sharing.optional')}
        error={errors.title?.message}
      >
        {(input) => (
          <input {...input} {...register('title')} maxLength={120} className={inputClass} />
        )}
      </Field>
      <Field label={t('player.sharing.expires')} error={errors.expiresInDays?.message}>
        {(input) => (
          <Select {...input} {...register('expiresInDays')}>
            {shareDays.map((days) => (
              <option key={days} value={days}>
                {t('player.sharing.days', { count: days })}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </DraftForm>
  );
}
