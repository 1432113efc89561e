import { FormDialog } from '#web/platform/form-dialog.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { PlaybookForm } from '#web/playbooks/playbook-form.tsx';
import { emptyPlaybook } from '#web/playbooks/playbook-values.ts';
import { useCreatePlaybook } from '#web/playbooks/queries.ts';
import { TemplateField } from '#web/playbooks/template-field.tsx';

/** The dialog's name in the address of the playbooks page: `?new`. */
export const createPlaybookParam = 'new';

/** Open while the address contains its name. */
export function CreatePlaybookDialog() {
  const dialog = useAddressDialog(createPlaybookParam);
  return (
    <FormDialog
      open={dialog.value !== null}
      onClose={dialog.close}
      title={t('playbooks.dialog.title')}
      description={t('playbooks.dialog.text')}
    >
      <CreatePlaybookForm onCreated={dialog.close} />
    </FormDialog>
  );
}

function CreatePlaybookForm({ onCreated }: { onCreated: () => void }) {
  const { mutateAsync, isPending } = useCreatePlaybook();
  return (
    <PlaybookForm
      draft="playbook:new"
      values={emptyPlaybook}
      start={<TemplateField />}
      texts={{ submit: t('playbooks.dialog.submit'), pending: t('playbooks.dialog.pending') }}
      isPending={isPending}
      send={({ title, description, checklistItems }) =>
        mutateAsync({
          title,
          checklistItems: checklistItems.map(({ text }) => ({ text })),
          ...(description ? { description } : {}),
        })
      }
      onSent={onCreated}
      failureOf={({ failure }) => <SubmitFailure failure={failure} />}
    />
  );
}
