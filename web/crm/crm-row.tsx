import '#web/platform/crm-texts.ts';
import { Blocks, Cloud, ListChecks, Unplug } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { CrmConnection } from '#domain/crm/contract.ts';
import { vendorNames } from '#domain/crm/mapping.ts';
import type { CrmConnectionId } from '#domain/ids.ts';
import { useMay } from '#web/auth/use-may.ts';
import { useAuthorize, useDisconnect } from '#web/crm/queries.ts';
import { IntegrationRow } from '#web/organizations/integration-row.tsx';
import { UnavailableDialog } from '#web/organizations/unavailable-dialog.tsx';
import { t } from '#web/platform/texts.ts';
import type { BadgeLook } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Menu } from '#web/ui/menu.tsx';

const CrmSettingsDialog = lazy(() => import('#web/crm/crm-settings-dialog.tsx'));

const icons = { hubspot: Blocks, salesforce: Cloud } as const;
const looks: Record<CrmConnection['state'], BadgeLook> = {
  unavailable: 'outline',
  not_connected: 'outline',
  connected: 'success',
  needs_attention: 'destructive',
};

/** A CRM with its state, and what can be done with it. */
export function CrmRow({ connection }: { connection: CrmConnection }) {
  const { vendor, state } = connection;
  const mayManage = useMay('crm.manage');
  const { id } = connection;
  return (
    <IntegrationRow
      icon={icons[vendor]}
      title={t(`crm.integrations.${vendor}`)}
      text={t(`crm.integrations.${vendor}Text`)}
      details={id && <Details connection={connection} />}
      state={t(`crm.state.${state}`)}
      look={looks[state]}
    >
      {(id === null || (state === 'needs_attention' && mayManage)) && (
        <ConnectButton connection={connection} />
      )}
      {id && mayManage && <Actions id={id} connection={connection} />}
    </IntegrationRow>
  );
}

function Details({ connection }: { connection: CrmConnection }) {
  const { vendor, attention, accountName, waitingCount, failedCount } = connection;
  const name = vendorNames[vendor];
  return (
    <div className="mt-1 grid gap-0.5 text-sm">
      <p className="wrap-anywhere">{t('crm.connectedAs', { account: accountName ?? '' })}</p>
      {attention && <p className="text-destructive">{t(`crm.attention.${attention}`, { name })}</p>}
      {waitingCount > 0 && (
        <p className="text-muted-foreground">{t('crm.waiting', { count: waitingCount })}</p>
      )}
      {failedCount > 0 && (
        <p className="text-muted-foreground">{t('crm.notSent', { count: failedCount })}</p>
      )}
    </div>
  );
}

function ConnectButton({ connection: { vendor, state } }: { connection: CrmConnection }) {
  const mayManage = useMay('crm.manage');
  const [isAsked, setAsked] = useState(false);
  const authorize = useAuthorize(vendor);
  const name = vendorNames[vendor];
  const isOpen = mayManage && state !== 'unavailable';
  const again = state === 'needs_attention';
  const label = again ? t('crm.reconnectTo', { name }) : t('crm.integrations.connectTo', { name });
  return (
    <>
      <Button
        look="outline"
        size="small"
        aria-label={label}
        disabled={authorize.isPending}
        onClick={() => (isOpen ? authorize.mutate(undefined) : setAsked(true))}
      >
        {again ? t('crm.reconnect') : t('crm.integrations.connect')}
      </Button>
      {isAsked && (
        <UnavailableDialog
          title={
            state === 'unavailable'
              ? t('crm.integrations.dialog.title', { name })
              : t('crm.dialog.deniedTitle', { name })
          }
          text={
            state === 'unavailable'
              ? t('crm.dialog.unavailableText', { name })
              : t('crm.dialog.deniedText', { name })
          }
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function Actions({ id, connection }: { id: CrmConnectionId; connection: CrmConnection }) {
  const { vendor } = connection;
  const name = vendorNames[vendor];
  const [asked, setAsked] = useState<'settings' | 'disconnect' | null>(null);
  const disconnect = useDisconnect(id, name);
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        label={t('crm.actionsFor', { name })}
        items={[
          { title: t('crm.settings'), icon: ListChecks, onSelect: () => setAsked('settings') },
          { title: t('crm.disconnect'), icon: Unplug, onSelect: () => setAsked('disconnect') },
        ]}
      />
      <ConfirmDialog
        open={asked === 'disconnect'}
        onOpenChange={(open) => open || close()}
        title={t('crm.disconnectTitle', { name })}
        text={t('crm.disconnectText', { name })}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('crm.disconnect')}
        look="destructive"
        pending={disconnect.isPending}
        onConfirm={() => disconnect.mutate(undefined, { onSettled: close })}
      />
      {asked === 'settings' && (
        <Suspense>
          <CrmSettingsDialog id={id} connection={connection} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
