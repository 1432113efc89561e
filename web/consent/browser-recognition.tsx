import '#web/platform/player-texts.ts';
import { useChangeOrganizationCapture } from '#web/consent/queries.ts';
import { t } from '#web/platform/texts.ts';
import { SwitchField } from '#web/ui/switch-field.tsx';

/** Lets participants' browsers recognize their speech. It is saved as soon as it is switched. */
export function BrowserRecognition({ isOn, disabled }: { isOn: boolean; disabled: boolean }) {
  const { mutate, isPending } = useChangeOrganizationCapture();
  return (
    <SwitchField label={t('transcript.browser.title')} hint={t('transcript.browser.text')}>
      {(input) => (
        <input
          {...input}
          checked={isOn}
          disabled={disabled || isPending}
          onChange={({ target }) => mutate({ browserRecognition: target.checked })}
        />
      )}
    </SwitchField>
  );
}
