import { t } from '#web/platform/texts.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

interface DeviceChoiceProps {
  label: string;
  devices: readonly MediaDeviceInfo[];
  value: string | undefined;
  onChoose: (deviceId: string) => void;
}

/** Not shown without devices: the problem is said elsewhere. */
export function DeviceChoice({ label, devices, value, onChoose }: DeviceChoiceProps) {
  if (devices.length === 0) return null;
  return (
    <Field label={label}>
      {(input) => (
        <Select
          {...input}
          value={value ?? ''}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {value === undefined && <option value="">{t('devices.systemDefault')}</option>}
          {devices.map((device, at) => (
            <option key={device.deviceId} value={device.deviceId}>
              {device.label || `${label} ${at + 1}`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
