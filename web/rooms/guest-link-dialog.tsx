import { t } from '#web/platform/texts.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

/** Shows a guest link for copying by hand, if the browser does not let the page copy it. */
export default function GuestLinkDialog({ link, onClose }: { link: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('rooms.guestLink')}
      description={t('rooms.guestLinkText')}
      closeLabel={t('common.close')}
    >
      <Field label={t('rooms.guestLink')}>
        {(input) => (
          <input
            {...input}
            readOnly
            value={link}
            onFocus={(event) => event.target.select()}
            className={inputClass}
          />
        )}
      </Field>
    </Dialog>
  );
}
