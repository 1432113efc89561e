import '#web/platform/api-texts.ts';
import { useId } from 'react';
import type { UseFormRegister } from 'react-hook-form';
import type { z } from 'zod';
import { apiTokenBody, apiTokenLives, type MadeApiToken } from '#domain/api/contract.ts';
import { type ApiScope, apiScopes, isPersonalScope } from '#domain/api/scopes.ts';
import { type TokensOf, useCreateApiToken } from '#web/api/queries.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { LifeField } from '#web/platform/life-field.tsx';
import { type TextKey, t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { Field, inputClass } from '#web/ui/field.tsx';

type Values = z.input<typeof apiTokenBody>;

const resolver = formResolver(apiTokenBody);
const empty: Values = { name: '', scopes: [], expiresInDays: 90 };
const scopeTexts: Record<ApiScope, TextKey> = {
  'rooms:read': 'api.scope.rooms.read',
  'rooms:write': 'api.scope.rooms.write',
  'rooms:embed': 'api.scope.rooms.embed',
  'calls:read': 'api.scope.calls.read',
  'calls:write': 'api.scope.calls.write',
  'playbooks:read': 'api.scope.playbooks.read',
  'playbooks:write': 'api.scope.playbooks.write',
  'team:read': 'api.scope.team.read',
  'analytics:read': 'api.scope.analytics.read',
  'webhooks:write': 'api.scope.webhooks.write',
};

interface TokenFormProps {
  of: TokensOf;
  onMade: (made: MadeApiToken) => void;
}

export function TokenForm({ of, onMade }: TokenFormProps) {
  const { mutateAsync, isPending } = useCreateApiToken(of);
  const draftForm = useDraftForm({
    draft: `api-token:${of}`,
    resolver,
    values: empty,
    send: (given) => mutateAsync(given),
    onSent: onMade,
  });
  const { register, formState } = draftForm.form;
  const { errors } = formState;
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('api.form.submit'), pending: t('api.form.pending') }}
    >
      <Field label={t('api.form.name')} hint={t('api.form.nameHint')} error={errors.name?.message}>
        {(input) => (
          <input
            {...input}
            {...register('name')}
            autoComplete="off"
            placeholder={t('api.form.nameExample')}
            className={inputClass}
          />
        )}
      </Field>
      <ScopeChoice of={of} register={register} error={errors.scopes?.message} />
      <LifeField
        lives={apiTokenLives}
        register={(options) => register('expiresInDays', options)}
        texts={{
          label: t('api.form.life'),
          days: (count) => t('api.form.days', { count }),
          forever: t('api.form.forever'),
        }}
        error={errors.expiresInDays?.message}
      />
    </DraftForm>
  );
}

interface ScopeChoiceProps {
  of: TokensOf;
  register: UseFormRegister<Values>;
  error: string | undefined;
}

function ScopeChoice({ of, register, error }: ScopeChoiceProps) {
  const id = useId();
  const offered = of === 'personal' ? apiScopes.filter(isPersonalScope) : apiScopes;
  return (
    <fieldset aria-describedby={error ? `${id}-error` : `${id}-hint`}>
      <legend className="text-sm font-medium">{t('api.form.scopes')}</legend>
      <p id={`${id}-hint`} className="mt-0.5 mb-1.5 text-sm text-muted-foreground">
        {t('api.form.scopesText')}
      </p>
      <div className="grid gap-y-1">
        {offered.map((scope) => (
          <label key={scope} className="flex min-h-8 items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              value={scope}
              {...register('scopes')}
              className="size-4 shrink-0 accent-brand-edge"
            />
            <span>
              {t(scopeTexts[scope])}{' '}
              <span className="font-mono text-xs text-muted-foreground">{scope}</span>
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-destructive">
          {error}
        </p>
      )}
    </fieldset>
  );
}
