import type { CallSession } from '#web/calls/call-session.ts';
import { ChecklistTab } from '#web/calls/checklist-tab.tsx';
import { NotesTab } from '#web/calls/notes-tab.tsx';
import { t } from '#web/platform/texts.ts';
import { Tabs } from '#web/ui/tabs.tsx';

export function CallPanel({ session, mayEdit }: { session: CallSession; mayEdit: boolean }) {
  const tabs = [
    {
      value: 'checklist',
      title: t('call.tabs.checklist'),
      panel: <ChecklistTab session={session} mayEdit={mayEdit} />,
    },
    {
      value: 'notes',
      title: t('call.tabs.notes'),
      panel: <NotesTab session={session} mayEdit={mayEdit} />,
    },
  ] as const;
  return (
    <aside
      aria-label={t('call.panel')}
      className="min-h-0 border-t bg-card min-[52rem]:border-t-0 min-[52rem]:border-l"
    >
      <Tabs
        label={t('call.panel')}
        tabs={tabs}
        className="flex h-full flex-col gap-4 p-4"
        panelClassName="-m-1 min-h-0 flex-1 overflow-x-hidden overflow-y-auto p-1"
      />
    </aside>
  );
}
