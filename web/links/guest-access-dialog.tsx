import '#web/platform/links-texts.ts';
import type { RoomId } from '#domain/ids.ts';
import type { GuestAccess } from '#domain/links/contract.ts';
import { NamedLinks } from '#web/links/named-links.tsx';
import { OpeningHoursForm } from '#web/links/opening-hours-form.tsx';
import { useChangeGuestAccess, useGuestAccess } from '#web/links/queries.ts';
import { WaitingTextForm } from '#web/links/waiting-text-form.tsx';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

interface GuestAccessDialogProps {
  room: { id: RoomId; topic: string } | null;
  onClose: () => void;
}

/** A room's further links, its opening hours and its waiting text. Loaded separately. */
export default function GuestAccessDialog({ room, onClose }: GuestAccessDialogProps) {
  return (
    <FormDialog
      open={room !== null}
      onClose={onClose}
      title={t('links.access.title')}
      description={t('links.access.text', { topic: room?.topic ?? '' })}
    >
      {room && (
        <Tabs
          label={t('links.access.tabs')}
          panelClassName="pt-5"
          tabs={[
            { value: 'links', title: t('links.access.links'), panel: <NamedLinks id={room.id} /> },
            { value: 'hours', title: t('links.access.hours'), panel: <Hours id={room.id} /> },
            { value: 'waiting', title: t('links.access.waiting'), panel: <Waiting id={room.id} /> },
          ]}
        />
      )}
    </FormDialog>
  );
}

function Hours({ id }: { id: RoomId }) {
  return (
    <WithAccess id={id}>
      {(access) => <OpeningHoursForm id={id} saved={access.openingHours} />}
    </WithAccess>
  );
}

function Waiting({ id }: { id: RoomId }) {
  const { mutateAsync, isPending } = useChangeGuestAccess(id);
  return (
    <WithAccess id={id}>
      {({ waitingText, organizationWaitingText }) => (
        <WaitingTextForm
          draft={`waiting:${id}`}
          saved={waitingText}
          placeholder={organizationWaitingText ?? ''}
          hint={t(organizationWaitingText ? 'links.waiting.hint' : 'links.waiting.hintNone')}
          isPending={isPending}
          send={(text) => mutateAsync({ waitingText: text })}
        />
      )}
    </WithAccess>
  );
}

interface WithAccessProps {
  id: RoomId;
  children: (access: GuestAccess) => React.ReactNode;
}

function WithAccess({ id, children }: WithAccessProps) {
  const { data, error, refetch } = useGuestAccess(id);
  if (data) return children(data);
  if (!error) return <Skeleton className="h-48" />;
  return <LoadFailed error={error} onRetry={refetch} />;
}
