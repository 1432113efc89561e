import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { DeviceChoice } from '#web/devices/device-choice.tsx';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { playTones } from '#web/media/devices/test-sound.ts';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

const speakerCanBeChosen = 'setSinkId' in HTMLMediaElement.prototype;

/** Plays two tones on the speaker that will play the others. Only the person can say whether it is heard. */
export function SpeakerTest({ media }: { media: LocalMedia }) {
  const { chosen, lists } = useStore(media);
  const [state, setState] = useState<'new' | 'playing' | 'played' | 'playFailed'>('new');
  const play = async () => {
    setState('playing');
    try {
      await playTones(chosen.speakerId ?? '');
      setState('played');
    } catch {
      setState('playFailed');
    }
  };
  return (
    <Card>
      <CardHeader title={t('devices.speaker')} />
      <div className="grid gap-4 p-5">
        {speakerCanBeChosen && (
          <DeviceChoice
            label={t('devices.speaker')}
            devices={lists.speakers}
            value={chosen.speakerId}
            onChoose={(id) => media.chooseSpeaker(id)}
          />
        )}
        <Button
          look="outline"
          size="small"
          className="justify-self-start"
          disabled={state === 'playing'}
          onClick={() => void play()}
        >
          <Volume2 aria-hidden className="size-4" />
          {t(state === 'playing' ? 'devices.playing' : 'devices.play')}
        </Button>
        <p role="status" className="text-sm text-muted-foreground empty:hidden">
          {(state === 'played' || state === 'playFailed') && t(`devices.${state}`)}
        </p>
      </div>
    </Card>
  );
}
