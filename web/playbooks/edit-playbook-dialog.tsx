import { ListX } from 'lucide-react';
import type { PlaybookId } from '#domain/ids.ts';
import type { Playbook } from '#domain/playbooks/contract.ts';
import { ApiError } from '#web/platform/api.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { EditConflict } from '#web/playbooks/edit-conflict.tsx';
import { PlaybookForm } from '#web/playbooks/playbook-form.tsx';
import type { PlaybookValues } from '#web/playbooks/playbook-values.ts';
import { usePlaybook, useUpdatePlaybook } from '#web/playbooks/queries.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function EditPlaybookDialog({
  id,
  onClose,
}: {
  id: PlaybookId | null;
  onClose: () => void;
}) {
  return (
    <FormDialog
      open={id !== null}
      onClose={onClose}
      title={t('playbooks.edit.title')}
      description={t('playbooks.edit.text')}
    >
      {id && <PlaybookToEdit key={id} id={id} onSaved={onClose} />}
    </FormDialog>
  );
}

function PlaybookToEdit({ id, onSaved }: { id: PlaybookId; onSaved: () => void }) {
  const { data, error, refetch } = usePlaybook(id);
  if (data) return <EditPlaybookForm playbook={data} onSaved={onSaved} />;
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState
        icon={ListX}
        title={t('playbooks.edit.missing')}
        text={t('playbooks.edit.missingText')}
      />
    );
  if (error) return <LoadFailed error={error} onRetry={refetch} />;
  return <Skeleton className="h-64" />;
}

export const valuesOf = ({ title, description, checklistItems, version }: Playbook) =>
  ({
    title,
    description: description ?? '',
    checklistItems: checklistItems
      .toSorted((a, b) => a.order - b.order)
      .map(({ id, text }) => ({ id, text })),
    version,
    newItem: '',
  }) satisfies PlaybookValues;

function EditPlaybookForm({ playbook, onSaved }: { playbook: Playbook; onSaved: () => void }) {
  const { mutateAsync, isPending } = useUpdatePlaybook();
  return (
    <PlaybookForm
      draft={`playbook:${playbook.id}`}
      values={valuesOf(playbook)}
      texts={{ submit: t('playbooks.edit.submit'), pending: t('playbooks.edit.pending') }}
      isPending={isPending}
      send={({ newItem: _added, ...edit }) => mutateAsync({ id: playbook.id, ...edit })}
      onSent={onSaved}
      failureOf={(props) => <EditConflict id={playbook.id} valuesOf={valuesOf} {...props} />}
    />
  );
}
