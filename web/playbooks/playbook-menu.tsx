import { Archive, ArchiveRestore, Pencil } from 'lucide-react';
import type { Playbook } from '#domain/playbooks/contract.ts';
import { t } from '#web/platform/texts.ts';
import { useArchivePlaybook, useRestorePlaybook } from '#web/playbooks/queries.ts';
import { Menu } from '#web/ui/menu.tsx';

export function PlaybookMenu({ playbook, onEdit }: { playbook: Playbook; onEdit: () => void }) {
  const archive = useArchivePlaybook();
  const restore = useRestorePlaybook();
  const { title, status } = playbook;
  const edit = { title: t('common.edit'), icon: Pencil, onSelect: onEdit };
  const change =
    status === 'active'
      ? {
          title: t('common.archive'),
          icon: Archive,
          disabled: archive.isPending,
          onSelect: () => archive.mutate(playbook),
        }
      : {
          title: t('common.restore'),
          icon: ArchiveRestore,
          disabled: restore.isPending,
          onSelect: () => restore.mutate(playbook),
        };
  return (
    <Menu
      label={t('playbooks.menu', { title })}
      items={status === 'active' ? [edit, change] : [change]}
    />
  );
}
