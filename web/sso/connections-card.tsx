import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SsoConnection } from '#domain/sso/contract.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { ConnectionForm } from '#web/sso/connection-form.tsx';
import { NewConnectionForm } from '#web/sso/new-connection-form.tsx';
import { useRemoveConnection, useTestConnection } from '#web/sso/queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function ConnectionsCard({ connections }: { connections: SsoConnection[] }) {
  const adding = useAddressDialog('connect');
  const editing = useAddressDialog('connection');
  const edited = connections.find(({ id }) => id === editing.value);
  return (
    <Card>
      <CardHeader
        title={t('sso.connections.title')}
        action={
          <Button look="outline" size="small" onClick={() => adding.open()}>
            <Plus aria-hidden className="size-4" />
            {t('sso.connections.add')}
          </Button>
        }
      />
      {connections.length === 0 && (
        <EmptyState
          icon={KeyRound}
          title={t('sso.connections.none')}
          text={t('sso.connections.noneText')}
        />
      )}
      <ul className="divide-y">
        {connections.map((connection) => (
          <li key={connection.id} className="px-5 py-4">
            <Connection connection={connection} onEdit={() => editing.open(connection.id)} />
          </li>
        ))}
      </ul>
      <FormDialog
        open={adding.value !== null}
        onClose={adding.close}
        title={t('sso.connections.add')}
        description={t('sso.connections.addText')}
      >
        <NewConnectionForm onMade={({ id }) => editing.open(id, { instead: 'connect' })} />
      </FormDialog>
      <FormDialog
        open={edited !== undefined}
        onClose={editing.close}
        title={t('sso.connections.editOf', { name: edited?.name ?? '' })}
      >
        {edited && <ConnectionForm connection={edited} onSaved={editing.close} />}
      </FormDialog>
    </Card>
  );
}

function Connection({ connection, onEdit }: { connection: SsoConnection; onEdit: () => void }) {
  const [isLeaving, setLeaving] = useState(false);
  const { mutate: test, isPending: isTesting } = useTestConnection();
  const { mutate: remove, isPending: isRemoving } = useRemoveConnection();
  const named = { name: connection.name };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-40 flex-1">
        <h3 className="text-sm font-medium break-words">{connection.name}</h3>
        <p className="text-sm text-muted-foreground">
          {t(`sso.connections.kinds.${connection.kind}`)}
        </p>
      </div>
      <Standing connection={connection} />
      <Button
        look="outline"
        size="small"
        aria-label={t('sso.connections.editOf', named)}
        onClick={onEdit}
      >
        {t('sso.connections.edit')}
      </Button>
      {connection.complete && (
        <Button
          look="outline"
          size="small"
          disabled={isTesting}
          aria-label={t('sso.connections.testOf', named)}
          onClick={() => test(connection.id)}
        >
          {t('sso.connections.test')}
        </Button>
      )}
      <Button
        look="ghost"
        size="small"
        aria-label={t('sso.connections.removeOf', named)}
        onClick={() => setLeaving(true)}
      >
        <Trash2 aria-hidden className="size-4" />
      </Button>
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setLeaving}
        title={t('sso.connections.removeTitle', named)}
        text={t('sso.connections.removeText')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('sso.remove')}
        pending={isRemoving}
        onConfirm={() => remove(connection.id, { onSettled: () => setLeaving(false) })}
      />
    </div>
  );
}

function Standing({ connection: { enabled, complete } }: { connection: SsoConnection }) {
  if (enabled) return <Badge look="success">{t('sso.connections.on')}</Badge>;
  const text = complete ? t('sso.connections.off') : t('sso.connections.incomplete');
  return <Badge look="outline">{text}</Badge>;
}
