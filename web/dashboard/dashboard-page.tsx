import { useMay } from '#web/auth/use-may.ts';
import { FigureFilter } from '#web/calls/figure-filter.tsx';
import { RecentCalls } from '#web/calls/recent-calls.tsx';
import { useLeftBehind } from '#web/calls/use-left-behind.ts';
import { ActiveRooms } from '#web/dashboard/active-rooms.tsx';
import { MetricCards } from '#web/dashboard/metric-cards.tsx';
import { QuickActions } from '#web/dashboard/quick-actions.tsx';
import { GettingStarted } from '#web/getting-started/getting-started.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { CreateRoomDialog, createRoomParam } from '#web/rooms/create-room-dialog.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function DashboardPage() {
  const mayCreate = useMay('rooms.create');
  const creating = useAddressDialog(createRoomParam);
  useLeftBehind();
  return (
    <>
      <title>{`${t('dashboard.title')} · ${t('product')}`}</title>
      <PageHeader title={t('dashboard.title')} subtitle={t('dashboard.subtitle')} />
      <FigureFilter />
      <div className="grid grid-cols-1 gap-6">
        <GettingStarted />
        <MetricCards />
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_16rem]">
          <RecentCalls />
          <div className="grid grid-cols-1 gap-6">
            <ActiveRooms />
            <QuickActions onCreateRoom={mayCreate ? () => creating.open() : undefined} />
          </div>
        </div>
      </div>
      {mayCreate && <CreateRoomDialog />}
    </>
  );
}
