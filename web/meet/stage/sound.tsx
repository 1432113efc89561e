import { useEffect, useRef } from 'react';
import { WritableStore } from '#web/live/store.ts';
import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

/** Audio elements that the browser blocks until a user gesture. */
const silenced = new WritableStore<{ elements: readonly HTMLAudioElement[] }>({
  elements: [],
});

function letSoundsPlay(): void {
  const { elements } = silenced.getSnapshot();
  silenced.update({ elements: [] });
  for (const element of elements) void play(element);
}

/** Plays one participant's audio, apart from the video so that the video always plays. */
export function Sound({ stream, speakerId }: { stream: MediaStream; speakerId: string }) {
  const element = useRef<HTMLAudioElement>(null);

  useEffect(() => {
    const audio = element.current;
    if (audio === null) return;
    audio.srcObject = stream;
    void play(audio);
    return () => forget(audio);
  }, [stream]);

  useEffect(() => {
    const audio = element.current;
    // If the speaker is gone, the audio stays on the system's default.
    if (audio && 'setSinkId' in audio) audio.setSinkId(speakerId).catch(() => {});
  }, [speakerId]);

  // biome-ignore lint/a11y/useMediaCaption: live speech has no caption track
  return <audio ref={element} />;
}

/** Any user gesture unblocks audio; the button explains why there is none. */
export function SoundButton() {
  const { elements } = useStore(silenced);
  const blocked = elements.length > 0;
  useEffect(() => {
    if (!blocked) return;
    addEventListener('pointerup', letSoundsPlay);
    addEventListener('keydown', letSoundsPlay);
    return () => {
      removeEventListener('pointerup', letSoundsPlay);
      removeEventListener('keydown', letSoundsPlay);
    };
  }, [blocked]);
  if (!blocked) return null;
  return (
    <button type="button" className="pill sound-on" onClick={letSoundsPlay}>
      <Icon name="sound" />
      {text('controls.sound')}
    </button>
  );
}

async function play(audio: HTMLAudioElement): Promise<void> {
  try {
    await audio.play();
    forget(audio);
  } catch (error) {
    const blocked = error instanceof Error && error.name === 'NotAllowedError';
    if (blocked) silenced.update({ elements: [...silenced.getSnapshot().elements, audio] });
  }
}

function forget(audio: HTMLAudioElement): void {
  const { elements } = silenced.getSnapshot();
  if (elements.includes(audio)) {
    silenced.update({ elements: elements.filter((one) => one !== audio) });
  }
}
