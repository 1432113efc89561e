import { z } from 'zod';
import { addActionItemBody, type StoredActionItem } from '#domain/action-items/contract.ts';
import { priorities } from '#domain/ai/contract.ts';
import { accountId, type CallId } from '#domain/ids.ts';
import { useAddActionItem, useUpdateActionItem } from '#web/action-items/queries.ts';
import { ownerName } from '#web/ai/owner-name.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useMembers } from '#web/team/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

interface ActionItemDialogProps {
  callId: CallId;
  /** Null for a new one. */
  item: StoredActionItem | null;
  onClose: () => void;
}

export default function ActionItemDialog({ callId, item, onClose }: ActionItemDialogProps) {
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t(item ? 'ai.actionItems.edit' : 'ai.actionItems.add')}
    >
      {item ? (
        <EditForm item={item} onDone={onClose} />
      ) : (
        <AddForm callId={callId} onDone={onClose} />
      )}
    </FormDialog>
  );
}

function AddForm({ callId, onDone }: { callId: CallId; onDone: () => void }) {
  const { mutateAsync, isPending } = useAddActionItem(callId);
  return (
    <ItemForm
      draft={`action-item:new:${callId}`}
      item={null}
      isPending={isPending}
      send={mutateAsync}
      onSent={onDone}
    />
  );
}

function EditForm({ item, onDone }: { item: StoredActionItem; onDone: () => void }) {
  const { mutateAsync, isPending } = useUpdateActionItem(item);
  return (
    <ItemForm
      draft={`action-item:${item.id}`}
      item={item}
      isPending={isPending}
      send={mutateAsync}
      onSent={onDone}
    />
  );
}

/** Choices of the owner besides members. */
const noOne = '';
const otherPerson = 'other';

const fields = z.object({
  title: z.string(),
  description: z.string(),
  priority: z.enum(priorities),
  /** `noOne`, `otherPerson`, or the id of a member. */
  assignee: z.string(),
  owner: z.string(),
  dueOn: z.string(),
});
type Values = z.infer<typeof fields>;

function bodyOf({ assignee, owner, dueOn, ...rest }: Values) {
  const member = accountId.safeParse(assignee);
  return {
    ...rest,
    dueOn: dueOn || null,
    ...(member.success
      ? { assigneeId: member.data }
      : { owner: assignee === otherPerson ? owner.trim() || null : null }),
  };
}
const resolver = formResolver(
  fields.check(({ value, issues }) => {
    for (const { path, message } of addActionItemBody.safeParse(bodyOf(value)).error?.issues ?? [])
      issues.push({ code: 'custom', message, path, input: value });
  }),
);

const valuesOf = (item: StoredActionItem | null): Values => ({
  title: item?.title ?? '',
  description: item?.description ?? '',
  priority: item?.priority ?? 'medium',
  assignee: item?.assigneeId ?? (item?.owner ? otherPerson : noOne),
  owner: item?.owner && !item.assigneeId ? ownerName(item.owner) : '',
  dueOn: item?.dueOn ?? '',
});

interface ItemFormProps {
  draft: string;
  item: StoredActionItem | null;
  isPending: boolean;
  send: (body: ReturnType<typeof bodyOf>) => Promise<unknown>;
  onSent: () => void;
}

function ItemForm({ draft, item, isPending, send, onSent }: ItemFormProps) {
  const { form, submit, failure, close } = useDraftForm({
    draft,
    resolver,
    values: valuesOf(item),
    send: (values: Values) => send(bodyOf(values)),
    onSent,
  });
  const { register, watch, formState } = form;
  const { errors } = formState;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field label={t('ai.actionItems.titleField')} error={errors.title?.message}>
        {(input) => <input {...input} {...register('title')} className={inputClass} />}
      </Field>
      <Field label={t('ai.actionItems.details')} error={errors.description?.message}>
        {(input) => (
          <textarea
            {...input}
            {...register('description')}
            rows={3}
            className={`${inputClass} h-auto py-2`}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('ai.actionItems.owner')}>
          {(input) => (
            <Select {...input} {...register('assignee')} value={watch('assignee')}>
              <OwnerChoices item={item} />
            </Select>
          )}
        </Field>
        {watch('assignee') === otherPerson && (
          <Field label={t('ai.actionItems.ownerName')} error={errors.owner?.message}>
            {(input) => <input {...input} {...register('owner')} className={inputClass} />}
          </Field>
        )}
        <Field label={t('ai.actionItems.due')} error={errors.dueOn?.message}>
          {(input) => (
            <input {...input} {...register('dueOn')} type="date" className={inputClass} />
          )}
        </Field>
        <Field label={t('ai.actionItems.priority')}>
          {(input) => (
            <Select {...input} {...register('priority')} value={watch('priority')}>
              {priorities.map((priority) => (
                <option key={priority} value={priority}>
                  {t(`ai.coaching.priority.${priority}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <SubmitFailure failure={failure} />
      <DialogActions>
        <Button look="outline" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {t(isPending ? 'ai.actionItems.saving' : 'ai.actionItems.save')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The members, with the present assignee also where they have left the team. */
function OwnerChoices({ item }: { item: StoredActionItem | null }) {
  const { rows = [] } = useMembers();
  const members = rows.flat().map(({ id, firstName, lastName, email }) => ({
    id,
    name: [firstName, lastName].filter(Boolean).join(' ') || email,
  }));
  const present = item?.assigneeId;
  const isListed = !present || members.some(({ id }) => id === present);
  return (
    <>
      <option value={noOne}>{t('ai.actionItems.noOwner')}</option>
      {!isListed && <option value={present}>{item?.owner}</option>}
      {members.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value={otherPerson}>{t('ai.actionItems.otherOwner')}</option>
    </>
  );
}
