import { Icon, type IconName } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { cornerBeside, nextCorner } from './corner.ts';
import type { LayoutChoice } from './layout-choice.ts';

type PinProps = { choice: LayoutChoice; id: string; name: string; own?: boolean };

export function PinButton({ choice, id, name, own = false }: PinProps) {
  const on = useStore(choice).pinned === id;
  const label = own
    ? text(on ? 'meeting.unpinSelf' : 'meeting.pinSelf')
    : text(on ? 'meeting.unpin' : 'meeting.pin', { name });
  return <TileButton icon="pin" label={label} on={on} onClick={() => choice.pin(id)} />;
}

/** The buttons of the self-view: hide it, and move it if it lies over others. */
export function SelfButtons({ choice, movable }: { choice: LayoutChoice; movable: boolean }) {
  const { selfCorner } = useStore(choice);
  return (
    <>
      {movable && (
        <TileButton
          icon="move"
          label={text('meeting.moveSelf')}
          onClick={() => choice.choose({ selfCorner: nextCorner(selfCorner) })}
          onKey={(key) => {
            if (key.startsWith('Arrow'))
              choice.choose({ selfCorner: cornerBeside(selfCorner, key) });
          }}
        />
      )}
      <TileButton
        icon="eyeOff"
        label={text('meeting.hideSelf')}
        onClick={() => {
          choice.choose({ selfHidden: true });
          focusSoon('.show-self');
        }}
      />
    </>
  );
}

/** Shows the hidden self-view again, in its place. */
export function ShowSelfButton({ choice }: { choice: LayoutChoice }) {
  const label = text('meeting.showSelf');
  return (
    <button
      type="button"
      className="show-self tile-button"
      aria-label={label}
      title={label}
      onClick={() => {
        choice.choose({ selfHidden: false });
        focusSoon('.tile[data-own] .tile-button');
      }}
    >
      <Icon name="eye" />
    </button>
  );
}

/** The pressed button is gone, so the one that undoes it gets the focus. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}

type TileButtonProps = {
  icon: IconName;
  label: string;
  on?: boolean;
  onClick: () => void;
  onKey?: (key: string) => void;
};

function TileButton({ icon, label, on = false, onClick, onKey }: TileButtonProps) {
  return (
    <button
      type="button"
      className="tile-button"
      data-on={on || undefined}
      aria-label={label}
      title={label}
      onClick={onClick}
      onKeyDown={(event) => onKey?.(event.key)}
    >
      <Icon name={icon} />
    </button>
  );
}
