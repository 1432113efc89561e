import { laterText } from '../later-texts.ts';
import { useStore } from '../use-store.ts';
import type { Captions } from './captions.ts';
import './captions.css';

/** The newest captions, over the stage. Screen readers read each one when it appears, and not the words before. */
export default function CaptionsArea({ captions }: { captions: Captions }) {
  const { lines, interim, isWorking } = useStore(captions);
  return (
    <div className="captions" role="log" aria-label={laterText('captions.label')}>
      {!isWorking && <p className="caption trouble">{laterText('captions.trouble')}</p>}
      {lines.map(({ id, name, text, language }) => (
        <p key={id} className="caption">
          <b>{name}</b> <bdi lang={language ?? undefined}>{text}</bdi>
        </p>
      ))}
      {interim.map(({ participantId, name, text }) => (
        <p key={participantId} className="caption interim" aria-hidden="true">
          <b>{name}</b> <bdi>{text}</bdi>
        </p>
      ))}
    </div>
  );
}
