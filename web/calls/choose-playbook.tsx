import { Link } from 'react-router';
import { choosePlaybook } from '#domain/calls/contract.ts';
import type { CallId, PlaybookId } from '#domain/ids.ts';
import type { CallSession } from '#web/calls/call-session.ts';
import { request } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';
import { createPlaybookParam } from '#web/playbooks/create-playbook-dialog.tsx';
import { useAllPlaybooks } from '#web/playbooks/queries.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

/** Gives a playbook to a running call without one, and to its room. */
export default function ChoosePlaybook({ session, id }: { session: CallSession; id: CallId }) {
  const playbooks = useAllPlaybooks();
  const { mutate, isPending } = useApiMutation(
    (playbookId: PlaybookId) => request(choosePlaybook, { params: { id }, body: { playbookId } }),
    {
      failed: { title: t('call.choosePlaybook.failed') },
      done: ({ checklistItems }) => session.showItems(checklistItems),
    },
  );
  if (playbooks.error)
    return <p className="text-sm text-muted-foreground">{t('rooms.dialog.playbooksFailed')}</p>;
  if (!playbooks.data) return null;
  if (playbooks.data.length === 0)
    return (
      <Link
        to={`/app/playbooks?${createPlaybookParam}`}
        className={buttonClass({ look: 'outline', size: 'small' })}
      >
        {t('playbooks.create')}
      </Link>
    );
  return (
    <Field label={t('call.choosePlaybook.label')} hint={t('call.choosePlaybook.hint')}>
      {(input) => (
        <Select
          {...input}
          value=""
          disabled={isPending}
          onChange={({ target }) => {
            const chosen = playbooks.data.find((playbook) => playbook.id === target.value);
            if (chosen) mutate(chosen.id);
          }}
        >
          <option value="">{t('call.choosePlaybook.none')}</option>
          {playbooks.data.map(({ id: each, title }) => (
            <option key={each} value={each}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
