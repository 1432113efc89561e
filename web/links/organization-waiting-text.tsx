import '#web/platform/links-texts.ts';
import type { OrgId } from '#domain/ids.ts';
import { useChangeWaitingText, useWaitingText } from '#web/links/queries.ts';
import { WaitingTextForm } from '#web/links/waiting-text-form.tsx';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The waiting text of rooms without their own. For admins, loaded separately. */
export default function OrganizationWaitingText({ orgId }: { orgId: OrgId }) {
  const { data } = useWaitingText(orgId);
  const { mutateAsync, isPending } = useChangeWaitingText(orgId);
  return (
    <Card>
      <CardHeader title={t('links.waiting.organization')} />
      <div className="p-5">
        {data ? (
          <WaitingTextForm
            draft={`waiting:${orgId}`}
            saved={data.waitingText}
            placeholder=""
            hint={t('links.waiting.organizationHint')}
            isPending={isPending}
            send={mutateAsync}
          />
        ) : (
          <Skeleton className="h-40" />
        )}
      </div>
    </Card>
  );
}
