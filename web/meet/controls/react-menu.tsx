import { useId } from 'react';
import { reactions } from '#domain/calls/live-limits.ts';
import { Icon } from '../icons.tsx';
import type { Meeting } from '../meeting.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

/** Reactions that show for a moment, and a raised hand that stays. */
export function ReactMenu({ meeting }: { meeting: Meeting }) {
  const menu = useId();
  const { hand } = useStore(meeting);
  return (
    <>
      <button
        type="button"
        className="round"
        data-control="react"
        data-on={hand !== null || undefined}
        aria-label={text('controls.react')}
        title={text('controls.react')}
        popoverTarget={menu}
      >
        <Icon name={hand === null ? 'smile' : 'hand'} />
      </button>
      <div id={menu} popover="auto" className="react-menu">
        <div className="reactions">
          {reactions.map((reaction) => (
            <button
              key={reaction}
              type="button"
              popoverTarget={menu}
              popoverTargetAction="hide"
              aria-label={text(`reactions.${reaction}`)}
              title={text(`reactions.${reaction}`)}
              onClick={() => meeting.send({ type: 'react', reaction })}
            >
              {reaction}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="pill"
          popoverTarget={menu}
          popoverTargetAction="hide"
          onClick={() => meeting.raiseHand(hand === null)}
        >
          <Icon name="hand" />
          {text(hand === null ? 'controls.raiseHand' : 'controls.lowerHand')}
        </button>
      </div>
    </>
  );
}
