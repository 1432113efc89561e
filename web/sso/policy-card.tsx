import { useState } from 'react';
import type { AccountId } from '#domain/ids.ts';
import type { SsoOverview } from '#domain/sso/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { t } from '#web/platform/texts.ts';
import { useUpdatePolicy } from '#web/sso/queries.ts';
import { useMembers } from '#web/team/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

/** Whether single sign-on is required, and the emergency admins. Remounted for each policy. */
export function PolicyCard({
  policy,
  unboundMembers,
}: Pick<SsoOverview, 'policy' | 'unboundMembers'>) {
  const { id: own } = useUser();
  const { rows, more } = useMembers();
  const [required, setRequired] = useState(policy.required);
  // An admin who sets it up must not lock themselves out.
  const [breakGlass, setBreakGlass] = useState<AccountId[]>(
    policy.breakGlass.length > 0 ? policy.breakGlass : [own],
  );
  const { mutate, isPending } = useUpdatePolicy();
  const admins = (rows?.flat() ?? []).filter(({ role }) => role === 'ORGADMIN');
  const toggle = (id: AccountId) =>
    setBreakGlass((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id]));
  const isOffered = (id: AccountId) => admins.some((admin) => admin.id === id);
  const chosen = breakGlass.filter((id) => isOffered(id) || policy.breakGlass.includes(id));
  return (
    <Card>
      <CardHeader title={t('sso.policy.title')} />
      <form
        className="grid gap-5 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ required, breakGlass: chosen });
        }}
      >
        <SwitchField label={t('sso.policy.required')} hint={t('sso.policy.requiredHint')}>
          {(input) => (
            <input
              {...input}
              checked={required}
              onChange={(event) => setRequired(event.target.checked)}
            />
          )}
        </SwitchField>
        {unboundMembers > 0 && (
          <p className="text-sm text-muted-foreground">
            {t('sso.policy.unbound', { count: unboundMembers })}
          </p>
        )}
        <fieldset className="grid gap-3">
          <legend className="text-sm font-medium">{t('sso.policy.breakGlass')}</legend>
          <p className="text-sm text-muted-foreground">{t('sso.policy.breakGlassHint')}</p>
          {admins.map(({ id, firstName, lastName, email }) => (
            <label key={id} className="flex items-center gap-2.5 text-sm">
              <input
                type="checkbox"
                checked={breakGlass.includes(id)}
                onChange={() => toggle(id)}
                className="size-4 accent-brand"
              />
              <span>
                {`${firstName} ${lastName}`.trim()}
                <span className="text-muted-foreground"> {email}</span>
              </span>
            </label>
          ))}
          {more && (
            <Button look="outline" size="small" className="w-fit" onClick={more}>
              {t('team.loadMore')}
            </Button>
          )}
        </fieldset>
        <Button type="submit" disabled={isPending} className="justify-self-end">
          {isPending ? t('sso.policy.saving') : t('sso.policy.save')}
        </Button>
      </form>
    </Card>
  );
}
