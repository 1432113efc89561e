import { blurIsOffered } from '#web/media/devices/background.ts';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

type Props = { media: LocalMedia };

/** The blur button, beside those of microphone and camera on the self-view. */
export function BlurSwitch({ media }: Props) {
  const { chosen, camera, blur } = useStore(media);
  if (!blurIsOffered(camera)) return null;
  const on = chosen.blur === true;
  const label = text('blur.label');
  return (
    <button
      type="button"
      className="round"
      data-control="blur"
      data-on={on || undefined}
      data-blur={blur}
      aria-pressed={on}
      aria-label={label}
      title={label}
      onClick={() => void media.blur(!on)}
    >
      <Icon name="blur" />
    </button>
  );
}
