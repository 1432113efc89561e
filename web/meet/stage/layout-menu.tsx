import { lazy, Suspense, useId } from 'react';
import type { Captions } from '../captions/captions.ts';
import type { Float } from '../float/use-float.ts';
import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { layouts } from './arrangement.ts';
import type { LayoutChoice } from './layout-choice.ts';

const CaptionsCheck = lazy(() => import('../captions/captions-check.tsx'));

type LayoutMenuProps = {
  choice: LayoutChoice;
  captions: Captions;
  float: Float;
  onShortcuts: () => void;
  onSettings: () => void;
};

/** The menu for the layout on this device. */
export function LayoutMenu({ choice, captions, float, onShortcuts, onSettings }: LayoutMenuProps) {
  const menu = useId();
  const { layout, selfHidden } = useStore(choice);
  const { isAvailable: hasCaptions } = useStore(captions);
  return (
    <>
      <button
        type="button"
        className="round"
        data-control="layout"
        aria-label={text('layout.title')}
        title={text('layout.title')}
        popoverTarget={menu}
      >
        <Icon name="layout" />
      </button>
      <div id={menu} popover="auto" className="react-menu layout-menu">
        <fieldset>
          <legend>{text('layout.title')}</legend>
          {layouts.map((one) => (
            <label key={one} className="check">
              <input
                type="radio"
                name={menu}
                checked={layout === one}
                onChange={() => choice.choose({ layout: one })}
              />
              <span>
                {text(`layout.${one}`)}
                <small>{text(`layout.${one}Hint`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <label className="check">
          <input
            type="checkbox"
            checked={selfHidden}
            onChange={(event) => choice.choose({ selfHidden: event.target.checked })}
          />
          {text('layout.hideSelf')}
        </label>
        {hasCaptions && (
          <Suspense>
            <CaptionsCheck captions={captions} />
          </Suspense>
        )}
        {float.toggle && (
          <MenuButton menu={menu} control="float" onClick={float.toggle}>
            {text(float.on ? 'float.close' : 'float.open')}
          </MenuButton>
        )}
        <MenuButton menu={menu} control="settings-in-menu" onClick={onSettings}>
          {text('controls.settings')}
        </MenuButton>
        <MenuButton menu={menu} onClick={onShortcuts}>
          {text('layout.shortcuts')}
        </MenuButton>
      </div>
    </>
  );
}

type MenuButtonProps = {
  menu: string;
  control?: string;
  onClick: () => void;
  children: string;
};

/** Runs its action and closes the menu. */
function MenuButton({ menu, control, onClick, children }: MenuButtonProps) {
  return (
    <button
      type="button"
      className="pill"
      data-control={control}
      popoverTarget={menu}
      popoverTargetAction="hide"
      onClick={onClick}
    >
      {children}
    </button>
  );
}
