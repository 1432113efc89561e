import { type ReactNode, useId } from 'react';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { type TextKey, text } from '../texts.ts';
import { useStore } from '../use-store.ts';

const speakerCanBeChosen = 'setSinkId' in HTMLMediaElement.prototype;

type DeviceSelectsProps = {
  media: LocalMedia;
  /** The level meter below the microphone. */
  meter?: ReactNode;
};

export function DeviceSelects({ media, meter }: DeviceSelectsProps) {
  const { lists, chosen, audio, camera } = useStore(media);
  return (
    <div className="selects">
      <DeviceSelect
        label="devices.microphone"
        none="devices.noMicrophone"
        devices={lists.microphones}
        value={audio?.getSettings().deviceId ?? chosen.microphoneId}
        onChoose={(id) => void media.choose('audio', id)}
      />
      {meter}
      <DeviceSelect
        label="devices.camera"
        none="devices.noCamera"
        devices={lists.cameras}
        value={camera?.getSettings().deviceId ?? chosen.cameraId}
        onChoose={(id) => void media.choose('video', id)}
      />
      {speakerCanBeChosen && lists.speakers.length > 0 && (
        <DeviceSelect
          label="devices.speaker"
          none="devices.default"
          devices={lists.speakers}
          value={chosen.speakerId}
          onChoose={(id) => media.chooseSpeaker(id)}
        />
      )}
    </div>
  );
}

type SelectProps = {
  label: TextKey;
  none: TextKey;
  devices: readonly MediaDeviceInfo[];
  value: string | undefined;
  onChoose: (deviceId: string) => void;
};

function DeviceSelect({ label, none, devices, value, onChoose }: SelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{text(label)}</label>
      <select
        id={id}
        value={value ?? ''}
        disabled={devices.length === 0}
        onChange={(event) => onChoose(event.target.value)}
      >
        {devices.length === 0 && <option value="">{text(none)}</option>}
        {devices.map((device, at) => (
          <option key={device.deviceId} value={device.deviceId}>
            {device.label || `${text(label)} ${at + 1}`}
          </option>
        ))}
      </select>
    </div>
  );
}
