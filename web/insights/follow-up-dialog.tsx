import '#web/platform/player-texts.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import type { CallDetails } from '#domain/calls/contract.ts';
import type { Insights } from '#domain/insights/contract.ts';
import { itemParam } from '#web/action-items/action-items.tsx';
import { useActionItems } from '#web/action-items/queries.ts';
import { callDetailsPath } from '#web/calls/paths.ts';
import { followUpText, itemsOfDraft } from '#web/insights/follow-up.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { t } from '#web/platform/texts.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface FollowUpDialogProps {
  call: CallDetails;
  insights: Insights;
  onClose: () => void;
}

/** A draft of an email to the customer, with links to the action items that it contains. */
export default function FollowUpDialog({ call, insights, onClose }: FollowUpDialogProps) {
  const { data } = useActionItems(call.id);
  const items = data ? itemsOfDraft(data.actionItems) : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('assistant.draft.title')}
      description={t('assistant.draft.text')}
      closeLabel={t('common.close')}
      closesOutside={false}
    >
      {items ? (
        <div className="grid gap-4">
          <Draft text={followUpText(call.room.topic, insights, items)} />
          {items.length > 0 && (
            <section className="grid gap-1.5 text-sm">
              <h3 className="font-medium">{t('assistant.draft.contains')}</h3>
              <ul className="grid gap-1">
                {items.map(({ id, title }) => (
                  <li key={id} className="wrap-anywhere">
                    <Link
                      to={`${callDetailsPath(call.id)}?${itemParam}=${id}`}
                      className="underline decoration-dotted underline-offset-2"
                    >
                      {title}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  );
}

function Draft({ text }: { text: string }) {
  const [draft, setDraft] = useState(text);
  return (
    <div className="grid gap-3">
      <Field label={t('assistant.draft.field')}>
        {(input) => (
          <textarea
            {...input}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
            rows={12}
            className={`${inputClass} h-auto py-2`}
          />
        )}
      </Field>
      <div className="flex justify-end">
        <CopyButton
          label={t('assistant.draft.copy')}
          done={t('assistant.draft.copied')}
          text={() => draft}
        />
      </div>
    </div>
  );
}
