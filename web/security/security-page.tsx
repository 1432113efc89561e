import '#web/platform/administration-texts.ts';
import '#web/platform/security-texts.ts';
import { ShieldX } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { useSignInPolicy, useUpdateSignInPolicy } from '#web/security/queries.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SwitchField } from '#web/ui/switch-field.tsx';

/** The organization's requirements for its members' sign-in. */
export function SecurityPage() {
  const mayManage = useMay('security.manage');
  return (
    <>
      <title>{`${t('security.policy.title')} · ${t('product')}`}</title>
      {mayManage ? (
        <>
          <PageHeader title={t('security.policy.title')} subtitle={t('security.policy.subtitle')} />
          <div className="grid grid-cols-1 gap-6">
            <Card>
              <CardHeader title={t('security.policy.card')} />
              <div className="p-5">
                <Policy />
              </div>
            </Card>
          </div>
        </>
      ) : (
        <Card>
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('audit.denied')}</h1>}
            text={t('security.policy.deniedText')}
          />
        </Card>
      )}
    </>
  );
}

function Policy() {
  const { data, error, refetch } = useSignInPolicy();
  const { mutate, isPending } = useUpdateSignInPolicy();
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-16" />;
  return (
    <div className="grid gap-3">
      <SwitchField label={t('security.policy.require')} hint={t('security.policy.requireHint')}>
        {(input) => (
          <input
            {...input}
            checked={data.twoFactorRequired}
            disabled={isPending}
            onChange={({ target }) => mutate({ twoFactorRequired: target.checked })}
          />
        )}
      </SwitchField>
      {data.membersWithout > 0 && (
        <p className="text-sm text-muted-foreground">
          {t('security.policy.without', { count: data.membersWithout })}
        </p>
      )}
    </div>
  );
}
