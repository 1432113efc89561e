import { Copy } from 'lucide-react';
import type { SentInvitation } from '#domain/team/contract.ts';
import { copyText } from '#web/platform/clipboard.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast-store.ts';

async function copy(url: string): Promise<void> {
  const copied = await copyText(Promise.resolve(url));
  toast(
    copied
      ? { title: t('team.link.copied') }
      : { title: t('team.link.uncopied'), tone: 'destructive' },
  );
}

function deliveryText({ mailed, mailLimitReached }: SentInvitation) {
  if (mailed) return 'team.link.mailed';
  return mailLimitReached ? 'team.link.limitReached' : 'team.link.notMailed';
}

interface InvitationLinkProps {
  sent: SentInvitation;
  onDone: () => void;
}

/** The link of an invitation, shown once, and whether it was mailed. */
export function InvitationLink({ sent, onDone }: InvitationLinkProps) {
  const { email, url } = sent;
  return (
    <div className="grid gap-4">
      <p className="text-sm">{t(deliveryText(sent), { email })}</p>
      <Field label={t('team.link.label', { email })} hint={t('team.link.once')}>
        {(input) => (
          <div className="grid grid-cols-[1fr_auto] gap-2">
            <input
              {...input}
              readOnly
              value={url}
              onFocus={(event) => event.target.select()}
              className={inputClass}
            />
            <Button look="outline" onClick={() => void copy(url)}>
              <Copy aria-hidden className="size-4" />
              {t('team.link.copy')}
            </Button>
          </div>
        )}
      </Field>
      <DialogActions>
        <Button onClick={onDone}>{t('team.link.done')}</Button>
      </DialogActions>
    </div>
  );
}
