import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { CreatePlaybookDialog } from '#web/playbooks/create-playbook-dialog.tsx';
import { PlaybookGrid } from '#web/playbooks/playbook-grid.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function PlaybooksPage() {
  const mayCreate = useMay('playbooks.create');
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  return (
    <>
      <title>{`${t('playbooks.title')} · ${t('product')}`}</title>
      <PageHeader
        title={t('playbooks.title')}
        subtitle={t('playbooks.subtitle')}
        action={
          mayCreate && (
            <Button onClick={create}>
              <Plus aria-hidden className="size-4" />
              {t('playbooks.create')}
            </Button>
          )
        }
      />
      <PlaybookGrid {...(mayCreate ? { onCreate: create } : {})} />
      <CreatePlaybookDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
