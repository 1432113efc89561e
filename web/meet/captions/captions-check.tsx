import { laterText } from '../later-texts.ts';
import { useStore } from '../use-store.ts';
import type { Captions } from './captions.ts';

/** In the layout menu, because phones have no room for another button. */
export default function CaptionsCheck({ captions }: { captions: Captions }) {
  const { isShown } = useStore(captions);
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isShown}
        onChange={(event) => captions.show(event.target.checked)}
      />
      {laterText('captions.label')}
    </label>
  );
}
