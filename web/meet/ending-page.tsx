import { captureSlot } from './consent/capture-slot.ts';
import type { Ending } from './ending.ts';
import { Masthead } from './masthead.tsx';
import type { Meeting } from './meeting.ts';
import { type TextKey, text } from './texts.ts';
import { useHeadingFocus } from './use-heading-focus.ts';
import { useStore } from './use-store.ts';

/** The label of the button for each ending; none where joining again would not help. */
const wayBack: Partial<Record<Ending, TextKey>> = {
  left: 'ending.rejoin',
  callEnded: 'ending.rejoin',
  badMessage: 'ending.rejoin',
  roomFull: 'ending.tryAgain',
  locked: 'ending.tryAgain',
  waitedTooLong: 'ending.tryAgain',
  crowded: 'ending.tryAgain',
  flooding: 'ending.tryAgain',
  replaced: 'ending.useHere',
};

export function EndingPage({ meeting, ending }: { meeting: Meeting; ending: Ending }) {
  const { loaded } = useStore(captureSlot);
  const heading = useHeadingFocus();
  const staffRefused = ending === 'tokenRefused' && !meeting.choices.needsName;
  const back = wayBack[ending];
  return (
    <div className="ending-page">
      <Masthead meeting={meeting} />
      <main className="ending" data-ending={ending}>
        <h1 ref={heading} tabIndex={-1}>
          {text(`ending.${ending}.title`)}
        </h1>
        <p>{text(staffRefused ? 'ending.tokenRefused.staffText' : `ending.${ending}.text`)}</p>
        {loaded && <loaded.parts.RestNotice session={loaded.session} />}
        {back && (
          <button type="button" className="primary" onClick={() => meeting.rejoin()}>
            {text(back)}
          </button>
        )}
        {(ending === 'protocolTooOld' || ending === 'roomClosed') && (
          <button type="button" className="primary" onClick={() => location.reload()}>
            {text('ending.reload')}
          </button>
        )}
      </main>
    </div>
  );
}
