import { useEffect, useId, useRef } from 'react';
import type { ShortcutAction } from '#domain/calls/frame-messages.ts';
import { floatWay } from '../float/float-ways.ts';
import { type TextKey, text } from '../texts.ts';
import { shortcuts } from './shortcuts.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const written = isMac ? { Ctrl: '⌘', Alt: '⌥' } : { Ctrl: text('shortcuts.ctrl'), Alt: 'Alt' };

const names: Record<ShortcutAction, TextKey> = {
  microphone: 'shortcuts.microphone',
  camera: 'shortcuts.camera',
  hand: 'shortcuts.hand',
  chat: 'controls.chat',
  people: 'controls.people',
  float: 'float.open',
  sheet: 'shortcuts.sheet',
};

type SheetProps = { isHost: boolean; onClose: () => void };

/** The keyboard shortcuts of a call. Loaded separately: most people never open it. */
export default function ShortcutsSheet({ isHost, onClose }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="settings shortcuts" aria-labelledby={heading} onClose={onClose}>
      <form method="dialog">
        <h2 id={heading}>{text('shortcuts.title')}</h2>
        <dl>
          <Row name={text('shortcuts.pushToTalk')} ways={[[text('shortcuts.space')]]} />
          {keysOf(shortcuts)
            .filter((action) => isHost || action !== 'people')
            .filter((action) => action !== 'float' || floatWay() !== null)
            .map((action) => (
              <Row
                key={action}
                name={text(names[action])}
                ways={shortcuts[action].map(({ keys, key }) => [
                  ...keys.map((one) => written[one]),
                  key.toUpperCase(),
                ])}
              />
            ))}
        </dl>
        <button type="submit" className="primary">
          {text('devices.close')}
        </button>
      </form>
    </dialog>
  );
}

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] => {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
};

function Row({ name, ways }: { name: string; ways: readonly (readonly string[])[] }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {ways.map((keys) => (
          <kbd key={keys.join()}>{keys.join(' + ')}</kbd>
        ))}
      </dd>
    </div>
  );
}
