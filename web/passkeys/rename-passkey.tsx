import '#web/platform/security-texts.ts';
import { useForm } from 'react-hook-form';
import { type Passkey, renamePasskeyBody } from '#domain/passkeys/contract.ts';
import { useRenamePasskey } from '#web/passkeys/queries.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface RenamePasskeyProps {
  passkey: Passkey;
  open: boolean;
  onClose: () => void;
}

export function RenamePasskey({ passkey, open, onClose }: RenamePasskeyProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t('security.passkeys.renameTitle')}
      closeLabel={t('common.close')}
    >
      <RenameForm passkey={passkey} onClose={onClose} />
    </Dialog>
  );
}

function RenameForm({ passkey, onClose }: Omit<RenamePasskeyProps, 'open'>) {
  const { mutate, isPending } = useRenamePasskey();
  const { register, handleSubmit, formState } = useForm({
    resolver: formResolver(renamePasskeyBody),
    defaultValues: { name: passkey.name },
  });
  const submit = handleSubmit(({ name }) =>
    mutate({ id: passkey.id, name }, { onSuccess: onClose }),
  );
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field label={t('security.passkeys.name')} error={formState.errors.name?.message}>
        {(input) => <input {...input} {...register('name')} className={inputClass} />}
      </Field>
      <DialogActions>
        <Button look="outline" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {t('security.passkeys.save')}
        </Button>
      </DialogActions>
    </form>
  );
}
