import '#web/platform/profile-texts.ts';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SentBodyOf } from '#domain/contract.ts';
import { deleteSelf } from '#domain/privacy/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { request } from '#web/platform/api.ts';
import { forgetDrafts } from '#web/platform/drafts.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { TypedConfirmation } from '#web/privacy/typed-confirmation.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

const useDeleteSelf = () =>
  useApiMutation((body: SentBodyOf<typeof deleteSelf>) => request(deleteSelf, { body }), {
    done: () => {
      forgetDrafts();
      window.location.assign('/');
    },
    failed: t('profile.data.failed'),
  });

/** Exports or deletes one's own data. */
export function DataCard() {
  const { email } = useUser();
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const { mutateAsync, isPending } = useDeleteSelf();
  const label = t('profile.data.password');
  return (
    <Card>
      <CardHeader title={t('profile.data.title')} />
      <div className="grid gap-4 p-5">
        <p className="text-sm text-muted-foreground">{t('profile.data.text')}</p>
        <div className="flex flex-wrap gap-2">
          <a download href="/api/user/export" className={buttonClass({ look: 'outline' })}>
            <Download aria-hidden className="size-4" />
            {t('profile.data.download')}
          </a>
          <Button look="outline" className="text-destructive" onClick={() => setAsking(true)}>
            <Trash2 aria-hidden className="size-4" />
            {t('profile.data.delete')}
          </Button>
        </div>
      </div>
      <TypedConfirmation
        open={asking}
        onClose={() => {
          setPassword('');
          setAsking(false);
        }}
        title={t('profile.data.confirmTitle')}
        text={t('profile.data.confirmText')}
        label={t('profile.data.email')}
        expected={email}
        cancelLabel={t('profile.data.cancel')}
        confirmLabel={isPending ? t('profile.data.confirming') : t('profile.data.confirm')}
        onConfirm={() => mutateAsync({ email, ...(password ? { password } : {}) })}
      >
        <Field label={label}>
          {(input) => (
            <PasswordInput
              {...input}
              value={password}
              autoComplete="current-password"
              onChange={({ target }) => setPassword(target.value)}
              showLabel={`${t('auth.showPassword')}: ${label}`}
              hideLabel={`${t('auth.hidePassword')}: ${label}`}
            />
          )}
        </Field>
      </TypedConfirmation>
    </Card>
  );
}
