import { BlurNotice } from './blur-switch.tsx';
import type { DeviceKind, DeviceProblem } from './device-problem.ts';
import { Icon } from './icons.tsx';
import type { LocalMedia, LocalMediaState } from './local-media.ts';
import { text } from './texts.ts';
import { useStore } from './use-store.ts';

/** Trying again helps against none of these. */
const settled = new Set<DeviceProblem>(['insecure', 'unsupported', 'blockedByFrame']);

type Found = { kinds: DeviceKind[]; of: DeviceKind | 'both'; problem: DeviceProblem };

/** What is wrong with the microphone or camera, and what to do about it. */
export function DeviceNotices({ media }: { media: LocalMedia }) {
  const state = useStore(media);
  return (
    <div className="notices" role="status">
      {problemsIn(state).map((found) => (
        <Notice key={found.of} media={media} {...found} />
      ))}
      <BlurNotice media={media} />
    </div>
  );
}

/** One for both where the same is wrong with both. */
function problemsIn({ problems, wished }: LocalMediaState): Found[] {
  const { audio, video } = problems;
  const both = wished.audio && wished.video && audio === video;
  if (both && audio) return [{ kinds: ['audio', 'video'], of: 'both', problem: audio }];
  return (['audio', 'video'] as const).flatMap((kind) => {
    const problem = problems[kind];
    return wished[kind] && problem ? [{ kinds: [kind], of: kind, problem }] : [];
  });
}

function Notice({ media, kinds, of, problem }: Found & { media: LocalMedia }) {
  return (
    <div className="notice" data-problem={problem} data-kind={of}>
      <Icon name="alert" />
      <p>{text(`problem.${problem}.${of}`)}</p>
      <span className="notice-actions">
        {!settled.has(problem) && (
          <button type="button" className="quiet" onClick={() => void media.retry()}>
            {text(problem === 'dismissed' ? 'devices.allow' : 'devices.retry')}
          </button>
        )}
        <button type="button" className="quiet" onClick={() => media.doWithout(kinds)}>
          {text('devices.without')}
        </button>
      </span>
    </div>
  );
}
