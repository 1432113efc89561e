import { useNavigate } from 'react-router';
import { useMay } from '#web/auth/use-may.ts';
import { CameraTest } from '#web/devices/camera-test.tsx';
import { ConnectionTest } from '#web/devices/connection-test.tsx';
import { MicrophoneTest } from '#web/devices/microphone-test.tsx';
import { SpeakerTest } from '#web/devices/speaker-test.tsx';
import { useLocalMedia } from '#web/devices/use-local-media.ts';
import { useRecordStep } from '#web/getting-started/queries.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** Tests what a call needs, without a room: camera, microphone, speaker, and the network. */
export function DevicesPage() {
  const media = useLocalMedia();
  const navigate = useNavigate();
  const { mutate } = useRecordStep('devices_tested');
  const isStep = useMay('rooms.create');
  const finish = () => {
    if (isStep) mutate();
    void navigate('/app');
  };
  return (
    <>
      <title>{`${t('devices.title')} · ${t('product')}`}</title>
      <PageHeader
        title={t('devices.title')}
        subtitle={t('devices.subtitle')}
        action={<Button onClick={finish}>{t('devices.done')}</Button>}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <CameraTest media={media} />
        <div className="grid grid-cols-1 gap-6">
          <MicrophoneTest media={media} />
          <SpeakerTest media={media} />
          <ConnectionTest media={media} />
        </div>
      </div>
    </>
  );
}
