import { useEffect } from 'react';
import type { DeviceKind, DeviceProblem } from '#web/media/devices/device-problem.ts';
import type { LocalMedia, LocalMediaState } from '#web/media/devices/local-media.ts';
import { watchAccess } from '#web/media/devices/watch-access.ts';
import { siteHelpOf, whichBrowser } from '#web/media/devices/which-browser.ts';
import { Icon } from '../icons.tsx';
import { laterText } from '../later-texts.ts';
import { useStore } from '../use-store.ts';

/** Retrying solves none of these. */
const settled = new Set<DeviceProblem>(['insecure', 'unsupported', 'blockedByFrame']);

type Props = { media: LocalMedia };
type Found = { kinds: DeviceKind[]; of: DeviceKind | 'both'; problem: DeviceProblem };

/** Loaded separately, with its texts: most people never see it. */
export default function DeviceNoticeList({ media }: Props) {
  const state = useStore(media);
  useEffect(() => watchAccess(media), [media]);
  return (
    <>
      {problemsIn(state).map((found) => (
        <Notice key={found.of} media={media} {...found} />
      ))}
      <BlurNotice media={media} />
    </>
  );
}

/** Returns one entry for both devices if they have the same problem. */
function problemsIn({ problems, wished }: LocalMediaState): Found[] {
  const { audio, video } = problems;
  const both = wished.audio && wished.video && audio === video;
  if (both && audio) return [{ kinds: ['audio', 'video'], of: 'both', problem: audio }];
  return (['audio', 'video'] as const).flatMap((kind) => {
    const problem = problems[kind];
    return wished[kind] && problem ? [{ kinds: [kind], of: kind, problem }] : [];
  });
}

/** Returns how to allow the device, if that differs by browser and system. */
function helpFor(problem: DeviceProblem): string | null {
  const program = whichBrowser(navigator.userAgent, navigator.maxTouchPoints);
  if (problem === 'blocked') return laterText(`allowSite.${siteHelpOf(program)}`);
  if (problem === 'blockedBySystem') return laterText(`allowBrowser.${program.system}`);
  return null;
}

function Notice({ media, kinds, of, problem }: Found & Props) {
  const help = helpFor(problem);
  return (
    <div className="notice" data-problem={problem} data-kind={of}>
      <Icon name="alert" />
      <p>
        {laterText(`problem.${problem}.${of}`)} {help}
      </p>
      <span className="notice-actions">
        {!settled.has(problem) && (
          <button type="button" className="quiet" onClick={() => void media.retry()}>
            {laterText(problem === 'dismissed' ? 'notice.allow' : 'notice.retry')}
          </button>
        )}
        <button type="button" className="quiet" onClick={() => media.doWithout(kinds)}>
          {laterText('notice.without')}
        </button>
      </span>
    </div>
  );
}

/** Says that the background is visible after all, or that the camera is off instead. */
function BlurNotice({ media }: Props) {
  const { blurTrouble } = useStore(media);
  if (blurTrouble === null) return null;
  const retry = async () => {
    await media.blur(true);
    if (!media.getSnapshot().wished.video) await media.switch('video', true);
  };
  return (
    <div className="notice" data-blur-trouble={blurTrouble}>
      <Icon name="alert" />
      <p>{laterText(`blur.${blurTrouble}`)}</p>
      <span className="notice-actions">
        {blurTrouble !== 'slow' && (
          <button type="button" className="quiet" onClick={() => void retry()}>
            {laterText('blur.retry')}
          </button>
        )}
        <button type="button" className="quiet" onClick={() => media.hideBlurTrouble()}>
          {laterText('blur.hide')}
        </button>
      </span>
    </div>
  );
}
