import '#web/platform/crm-texts.ts';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { CrmRow } from '#web/crm/crm-row.tsx';
import { useCrmConnections } from '#web/crm/queries.ts';
import { IntegrationRow } from '#web/organizations/integration-row.tsx';
import { UnavailableDialog } from '#web/organizations/unavailable-dialog.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function IntegrationCards() {
  return (
    <Card>
      <CardHeader title={t('settings.integrations.title')} />
      <ul className="divide-y">
        <ZapierRow />
        <CrmRows />
      </ul>
    </Card>
  );
}

function ZapierRow() {
  const [isAsked, setAsked] = useState(false);
  const name = t('crm.integrations.zapier');
  return (
    <IntegrationRow
      icon={Zap}
      title={name}
      text={t('crm.integrations.zapierText')}
      state={t('crm.integrations.notConnected')}
      look="outline"
    >
      <Button
        look="outline"
        size="small"
        aria-label={t('crm.integrations.connectTo', { name })}
        onClick={() => setAsked(true)}
      >
        {t('crm.integrations.connect')}
      </Button>
      {isAsked && (
        <UnavailableDialog
          title={t('crm.integrations.zapierDialog.title')}
          text={t('crm.integrations.zapierDialog.text')}
          onClose={() => setAsked(false)}
        />
      )}
    </IntegrationRow>
  );
}

function CrmRows() {
  const { data, error, refetch } = useCrmConnections();
  if (data) return data.map((one) => <CrmRow key={one.vendor} connection={one} />);
  return (
    <li className="px-5 py-4">
      {error ? (
        <LoadFailed error={error} onRetry={refetch} title={t('crm.loadFailed')} />
      ) : (
        <Skeleton className="h-24" />
      )}
    </li>
  );
}
