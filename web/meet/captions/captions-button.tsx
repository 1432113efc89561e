import { Icon } from '../icons.tsx';
import { laterText } from '../later-texts.ts';
import { useStore } from '../use-store.ts';
import type { Captions } from './captions.ts';

/** Loaded once somebody is transcribed. */
export default function CaptionsButton({ captions }: { captions: Captions }) {
  const { isShown } = useStore(captions);
  const label = laterText(isShown ? 'captions.hide' : 'captions.show');
  return (
    <button
      type="button"
      className="round"
      data-control="captions"
      data-on={isShown || undefined}
      aria-label={label}
      title={label}
      onClick={() => captions.show(!isShown)}
    >
      <Icon name="captions" />
    </button>
  );
}
