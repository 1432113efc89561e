import '#web/platform/administration-texts.ts';
import { ShieldX } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { GroupsCard } from '#web/scim/groups-card.tsx';
import { SetupCard } from '#web/scim/setup-card.tsx';
import { TokensCard } from '#web/scim/tokens-card.tsx';
import { ConfirmSelf } from '#web/security/confirm-dialog.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** Connects the organization's directory by SCIM, for admins. */
export function ProvisioningPage() {
  const manages = useMay('scim.manage');
  return (
    <>
      <title>{`${t('scim.title')} · ${t('product')}`}</title>
      {manages ? (
        <>
          <PageHeader title={t('scim.title')} subtitle={t('scim.subtitle')} />
          <div className="grid grid-cols-1 gap-6">
            <SetupCard />
            <TokensCard />
            <GroupsCard />
          </div>
          <ConfirmSelf />
        </>
      ) : (
        <Card>
          <EmptyState
            icon={ShieldX}
            title={<h1>{t('scim.denied')}</h1>}
            text={t('scim.deniedText')}
          />
        </Card>
      )}
    </>
  );
}
