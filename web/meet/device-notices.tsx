import type { DeviceKind, DeviceProblem } from './device-problem.ts';
import { Icon } from './icons.tsx';
import type { LocalMedia } from './local-media.ts';
import { text } from './texts.ts';
import { useStore } from './use-store.ts';

/** Trying again helps against none of these. */
const settled = new Set<DeviceProblem>(['insecure', 'unsupported', 'blockedByFrame']);

/** What is wrong with the microphone or camera, and what to do about it. */
export function DeviceNotices({ media }: { media: LocalMedia }) {
  const { problems, wished } = useStore(media);
  const kinds = (['audio', 'video'] as const).filter((kind) => wished[kind]);
  return (
    <div className="notices" role="status">
      {kinds.map((kind) => {
        const problem = problems[kind];
        return problem && <Notice key={kind} media={media} kind={kind} problem={problem} />;
      })}
    </div>
  );
}

type NoticeProps = { media: LocalMedia; kind: DeviceKind; problem: DeviceProblem };

function Notice({ media, kind, problem }: NoticeProps) {
  return (
    <div className="notice" data-problem={problem} data-kind={kind}>
      <Icon name="alert" />
      <p>{text(`problem.${problem}.${kind}`)}</p>
      {!settled.has(problem) && (
        <button type="button" className="quiet" onClick={() => void media.switch(kind, true)}>
          {text(problem === 'dismissed' ? 'devices.allow' : 'devices.retry')}
        </button>
      )}
    </div>
  );
}
