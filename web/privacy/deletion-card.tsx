import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrgId } from '#domain/ids.ts';
import type { Privacy } from '#domain/privacy/contract.ts';
import { organizationQuery } from '#web/organizations/queries.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { useCancelDeletion, useRequestDeletion } from '#web/privacy/queries.ts';
import { TypedConfirmation } from '#web/privacy/typed-confirmation.tsx';
import { wantsConfirmation } from '#web/security/queries.ts';
import { useConfirmed } from '#web/security/use-confirmed.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

/** Deletes the organization: requested by typing its name, and cancelable until it is due. */
export function DeletionCard({ orgId, deletion }: { orgId: OrgId; deletion: Privacy['deletion'] }) {
  const [asking, setAsking] = useState(false);
  const { data: organization } = useQuery(organizationQuery(orgId));
  const request = useRequestDeletion(orgId);
  const cancel = useCancelDeletion(orgId);
  const { attempt, dialog } = useConfirmed();
  const name = organization?.name ?? '';
  const ask = () =>
    request.mutateAsync({ name }).then(
      () => setAsking(false),
      (error: unknown) => {
        // The password dialog replaces this one.
        if (wantsConfirmation(error)) setAsking(false);
        throw error;
      },
    );
  return (
    <Card>
      <CardHeader title={t('privacy.deletion.title')} />
      <div className="grid gap-4 p-5">
        <p className="text-sm text-muted-foreground">{t('privacy.deletion.text')}</p>
        {deletion ? (
          <div role="status" className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm font-medium text-destructive">
              {t('privacy.deletion.due', { time: formatDateTime(deletion.dueAt) })}
            </p>
            <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
              {cancel.isPending ? t('privacy.deletion.keeping') : t('privacy.deletion.keep')}
            </Button>
          </div>
        ) : (
          <Button
            look="outline"
            className="justify-self-start text-destructive"
            disabled={!organization}
            onClick={() => setAsking(true)}
          >
            {t('privacy.deletion.open')}
          </Button>
        )}
      </div>
      <TypedConfirmation
        open={asking}
        onClose={() => setAsking(false)}
        title={t('privacy.deletion.confirmTitle', { name })}
        text={t('privacy.deletion.confirmText')}
        label={t('privacy.deletion.name')}
        expected={name}
        cancelLabel={t('privacy.deletion.cancel')}
        confirmLabel={
          request.isPending ? t('privacy.deletion.confirming') : t('privacy.deletion.confirm')
        }
        onConfirm={() => attempt(ask)}
      />
      {dialog}
    </Card>
  );
}
