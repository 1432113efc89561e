import { laterText } from '../later-texts.ts';
import { useStore } from '../use-store.ts';
import type { Captions } from './captions.ts';
import './captions.css';

/** The newest captions, over the stage. Screen readers read each one when it appears. */
export default function CaptionsArea({ captions }: { captions: Captions }) {
  const { lines, isWorking } = useStore(captions);
  return (
    <div className="captions" role="log" aria-label={laterText('captions.label')}>
      {!isWorking && <p className="caption trouble">{laterText('captions.trouble')}</p>}
      {lines.map(({ id, name, text, language }) => (
        <p key={id} className="caption">
          <b>{name}</b> <bdi lang={language ?? undefined}>{text}</bdi>
        </p>
      ))}
    </div>
  );
}
