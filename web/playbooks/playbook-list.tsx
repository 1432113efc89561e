import { ListChecks } from 'lucide-react';
import { playbookId } from '#domain/ids.ts';
import { useMay } from '#web/auth/use-may.ts';
import { PagedGrid } from '#web/platform/paged-grid.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { useListFilter } from '#web/platform/use-list-filter.ts';
import { EditPlaybookDialog } from '#web/playbooks/edit-playbook-dialog.tsx';
import { PlaybookCard } from '#web/playbooks/playbook-card.tsx';
import { usePlaybookPages } from '#web/playbooks/queries.ts';
import { TemplateList } from '#web/playbooks/template-list.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ListFilter } from '#web/ui/list-filter.tsx';

const statuses = [
  { value: 'active', title: t('playbooks.filters.active') },
  { value: 'archived', title: t('playbooks.filters.archived') },
] as const;

/** The playbooks with their search and filter, and the dialog that edits one: `?edit=<id>`. */
export function PlaybookList({ onCreate }: { onCreate?: () => void }) {
  const mayEdit = useMay('playbooks.update');
  const { typed, setTyped, status, setStatus, query } = useListFilter();
  const playbooks = usePlaybookPages(query);
  const dialog = useAddressDialog('edit');
  const edited = playbookId.safeParse(dialog.value).data ?? null;
  const hasNone = playbooks.rows?.flat().length === 0 && status === 'active' && !query.search;
  return (
    <>
      {playbooks.rows && (
        <ListFilter
          searchLabel={t('playbooks.search')}
          search={typed}
          onSearch={setTyped}
          statusLabel={t('playbooks.show')}
          statuses={statuses}
          status={status}
          onStatus={setStatus}
        />
      )}
      <PagedGrid
        noun="playbooks"
        icon={ListChecks}
        pages={playbooks}
        query={query}
        card={(playbook) => (
          <PlaybookCard playbook={playbook} onEdit={() => dialog.open(playbook.id)} />
        )}
        {...(onCreate ? { onCreate } : {})}
      />
      {hasNone && onCreate && (
        <Card className="mt-6">
          <CardHeader title={t('playbooks.templates.title')} />
          <div className="px-5 pt-5 pb-1">
            <TemplateList />
          </div>
        </Card>
      )}
      {mayEdit && <EditPlaybookDialog id={edited} onClose={dialog.close} />}
    </>
  );
}
