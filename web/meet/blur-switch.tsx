import { blurIsOffered } from './background.ts';
import { Icon } from './icons.tsx';
import type { LocalMedia } from './local-media.ts';
import { text } from './texts.ts';
import { useStore } from './use-store.ts';

type Props = { media: LocalMedia };

/** Beside the microphone's and the camera's, on the own picture. */
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

export function BlurCheck({ media }: Props) {
  const { chosen, camera, blur } = useStore(media);
  if (!blurIsOffered(camera)) return null;
  return (
    <label className="check" data-blur={blur}>
      <input
        type="checkbox"
        checked={chosen.blur === true}
        onChange={(event) => void media.blur(event.target.checked)}
      />
      {text(blur === 'starting' ? 'blur.starting' : 'blur.label')}
    </label>
  );
}

/** Says that the background is seen after all, or the camera off instead. */
export function BlurNotice({ media }: Props) {
  const { blurTrouble } = useStore(media);
  if (blurTrouble === null) return null;
  const retry = async () => {
    await media.blur(true);
    if (!media.getSnapshot().wished.video) await media.switch('video', true);
  };
  return (
    <div className="notice" data-blur-trouble={blurTrouble}>
      <Icon name="alert" />
      <p>{text(`blur.${blurTrouble}`)}</p>
      <span className="notice-actions">
        {blurTrouble !== 'slow' && (
          <button type="button" className="quiet" onClick={() => void retry()}>
            {text('blur.retry')}
          </button>
        )}
        <button type="button" className="quiet" onClick={() => media.hideBlurTrouble()}>
          {text('blur.hide')}
        </button>
      </span>
    </div>
  );
}
