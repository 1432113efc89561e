import { lazy, Suspense, useState } from 'react';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import { useLiveAnalysis } from '#web/ai/use-live-analysis.ts';
import { useMay } from '#web/auth/use-may.ts';
import type { CallSession } from '#web/calls/call-session.ts';
import { ChecklistTab } from '#web/calls/checklist-tab.tsx';
import { NotesTab } from '#web/calls/notes-tab.tsx';
import { t } from '#web/platform/texts.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

// Not needed for the first render: loaded when the tab is opened.
const AiTab = lazy(() => import('#web/ai/ai-tab.tsx'));

interface CallPanelProps {
  session: CallSession;
  room: Pick<OpenedRoom, 'topic' | 'playbook'>;
  mayEdit: boolean;
}

export function CallPanel({ session, room, mayEdit }: CallPanelProps) {
  const mayAnalyze = useMay('ai.analyze');
  const [tab, setTab] = useState('checklist');
  const analysis = useLiveAnalysis(session, room, mayAnalyze, tab === 'ai');
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
    {
      value: 'ai',
      title: t('call.tabs.ai'),
      panel: (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <AiTab analysis={analysis} mayAnalyze={mayAnalyze} />
        </Suspense>
      ),
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
        onChange={setTab}
        className="flex h-full flex-col gap-4 p-4"
        panelClassName="-m-1 min-h-0 flex-1 overflow-x-hidden overflow-y-auto p-1"
      />
    </aside>
  );
}
