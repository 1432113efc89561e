import { useState } from 'react';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

/** Plays two tones on the speaker that plays the others. */
export function SpeakerTest({ media }: { media: LocalMedia }) {
  const { chosen } = useStore(media);
  const [state, setState] = useState<'testSound' | 'testPlaying' | 'testFailed'>('testSound');
  async function test() {
    setState('testPlaying');
    try {
      const { playTones } = await import('#web/media/devices/test-sound.ts');
      await playTones(chosen.speakerId ?? '');
      setState('testSound');
    } catch {
      setState('testFailed');
    }
  }
  return (
    <>
      <button
        type="button"
        className="quiet"
        disabled={state === 'testPlaying'}
        onClick={() => void test()}
      >
        {text('devices.testSound')}
      </button>
      <span className="test-result" role="status">
        {state !== 'testSound' && text(`devices.${state}`)}
      </span>
    </>
  );
}
