import { useMutation } from '@tanstack/react-query';
import type { PlaybookId } from '#domain/ids.ts';
import { type ChecklistItem, type Playbook, readPlaybook } from '#domain/playbooks/contract.ts';
import { ApiError, request } from '#web/platform/api.ts';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import type { PlaybookValues } from '#web/playbooks/playbook-values.ts';
import { Button } from '#web/ui/button.tsx';

interface EditConflictProps {
  id: PlaybookId;
  failure: unknown;
  valuesOf: (playbook: Playbook) => PlaybookValues;
  sendOver: (version: number, items: readonly ChecklistItem[]) => void;
  become: (values: PlaybookValues) => void;
}

/**
 * Why a playbook was not saved. If another person saved first, the input stays until this person
 * has chosen one of the two versions.
 */
export function EditConflict({ id, failure, valuesOf, sendOver, become }: EditConflictProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: (_decided: (theirs: Playbook) => void) => request(readPlaybook, { params: { id } }),
    onSuccess: (theirs, decided) => decided(theirs),
    onError: (error) => toastFailure(error, error.message),
  });
  const isConflict = failure instanceof ApiError && failure.problem?.code === 'playbook_changed';
  if (!isConflict) return <SubmitFailure failure={failure} />;
  return (
    <div role="alert" className="grid gap-3 rounded-md border border-destructive/40 p-3 text-sm">
      <p className="break-words text-destructive">{failure.message}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          look="outline"
          size="small"
          disabled={isPending}
          onClick={() => mutate((theirs) => sendOver(theirs.version, theirs.checklistItems))}
        >
          {t('playbooks.edit.saveMine')}
        </Button>
        <Button
          look="outline"
          size="small"
          disabled={isPending}
          onClick={() => mutate((theirs) => become(valuesOf(theirs)))}
        >
          {t('playbooks.edit.showTheirs')}
        </Button>
      </div>
    </div>
  );
}
