import { LayoutTemplate, Plus } from 'lucide-react';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import {
  CreatePlaybookDialog,
  createPlaybookParam,
} from '#web/playbooks/create-playbook-dialog.tsx';
import { PlaybookList } from '#web/playbooks/playbook-list.tsx';
import { TemplatesAtAddress, templatesParam } from '#web/playbooks/templates-at-address.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

export function PlaybooksPage() {
  const mayCreate = useMay('playbooks.create');
  const creating = useAddressDialog(createPlaybookParam);
  const templates = useAddressDialog(templatesParam);
  const create = () => creating.open();
  return (
    <>
      <title>{`${t('playbooks.title')} · ${t('product')}`}</title>
      <PageHeader
        title={t('playbooks.title')}
        subtitle={t('playbooks.subtitle')}
        action={
          mayCreate && (
            <div className="flex flex-wrap gap-2">
              <Button look="outline" onClick={() => templates.open()}>
                <LayoutTemplate aria-hidden className="size-4" />
                {t('playbooks.templates.open')}
              </Button>
              <Button onClick={create}>
                <Plus aria-hidden className="size-4" />
                {t('playbooks.create')}
              </Button>
            </div>
          )
        }
      />
      <PlaybookList {...(mayCreate ? { onCreate: create } : {})} />
      {mayCreate && <CreatePlaybookDialog />}
      {mayCreate && <TemplatesAtAddress />}
    </>
  );
}
