import type { Participant } from '#domain/calls/participant.ts';
import type { PeerView } from '#web/media/peer-view.ts';
import { Sound } from './sound.tsx';

type SoundsProps = {
  others: readonly Participant[];
  views: ReadonlyMap<string, PeerView>;
  speakerId: string;
};

/** Plays the audio of the other participants and of their screen shares. */
export function Sounds({ others, views, speakerId }: SoundsProps) {
  return others.flatMap(({ id }) => {
    const { audio = null, screenAudio = null } = views.get(id) ?? {};
    return [audio, screenAudio].map(
      (stream) =>
        stream && (
          <Sound
            key={stream === audio ? id : `${id} screen`}
            stream={stream}
            speakerId={speakerId}
          />
        ),
    );
  });
}
