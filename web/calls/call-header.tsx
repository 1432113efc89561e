import { clsx } from 'clsx';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import type { RunningCall } from '#web/calls/call-session.ts';
import { CallTimer } from '#web/calls/call-timer.tsx';
import { LeaveControl, type OthersInCall } from '#web/calls/leave-control.tsx';
import { ShareButton } from '#web/links/share-button.tsx';
import { OrganizationMark } from '#web/organizations/organization-mark.tsx';
import { useOrganization } from '#web/organizations/queries.ts';
import { t } from '#web/platform/texts.ts';
import { CopyGuestLinkButton } from '#web/rooms/copy-guest-link-button.tsx';
import { ShellMenuButton } from '#web/shell/shell-menu.tsx';

interface CallHeaderProps {
  room: Pick<OpenedRoom, 'id' | 'topic'>;
  call: RunningCall | null;
  mayEdit: boolean;
  others: OthersInCall;
  onLeave: (forEveryone: boolean) => void;
}

export function CallHeader({ room, call, mayEdit, others, onLeave }: CallHeaderProps) {
  return (
    <header className="flex h-(--call-header) items-center gap-2 border-b bg-card px-2 sm:gap-3 sm:px-3">
      <ShellMenuButton />
      <WhoseCall />
      <div className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-3">
        <h1 className="truncate text-sm font-semibold" title={room.topic}>
          {room.topic}
        </h1>
        {call && <LiveMarker call={call} />}
      </div>
      {mayEdit && (
        <>
          <CopyGuestLinkButton roomId={room.id} short />
          <ShareButton room={room} />
        </>
      )}
      <LeaveControl others={mayEdit && call ? others : 'none'} onLeave={onLeave} />
    </header>
  );
}

/** The organization beside its call's topic; on narrow screens the topic needs the space. */
function WhoseCall() {
  const { orgId } = useUser();
  const organization = useOrganization(orgId);
  if (!organization) return null;
  return (
    <div className="hidden min-w-0 shrink-0 items-center gap-2 border-r pr-3 sm:flex">
      {organization.logoUrl && <OrganizationMark organization={organization} />}
      <span className="max-w-40 truncate text-sm text-muted-foreground">{organization.name}</span>
    </div>
  );
}

function LiveMarker({ call: { startedAt, joined } }: { call: RunningCall }) {
  const runs = joined !== false;
  return (
    <p
      className="flex shrink-0 items-center gap-2 text-xs"
      {...(runs ? {} : { title: t('call.notStarted') })}
    >
      <span
        className={clsx(
          'flex items-center gap-1.5 font-medium',
          runs ? 'text-success' : 'text-muted-foreground',
        )}
      >
        <span
          aria-hidden
          className={clsx('size-1.5 rounded-full bg-current', runs && 'animate-pulse')}
        />
        {t('call.live')}
      </span>
      <CallTimer startedAt={runs ? startedAt : null} />
    </p>
  );
}
