import type { ShortcutAction } from '#domain/calls/frame-messages.ts';

/** The keyboard shortcuts of a call. The sheet that `?` opens lists this table, so both agree. */
type Combination = { keys: readonly ('Ctrl' | 'Alt')[]; key: string };

/** The first combination of each is Google Meet's, the second Zoom's. */
export const shortcuts: Readonly<Record<ShortcutAction, readonly Combination[]>> = {
  microphone: [
    { keys: ['Ctrl'], key: 'd' },
    { keys: ['Alt'], key: 'a' },
  ],
  camera: [
    { keys: ['Ctrl'], key: 'e' },
    { keys: ['Alt'], key: 'v' },
  ],
  hand: [
    { keys: ['Ctrl', 'Alt'], key: 'h' },
    { keys: ['Alt'], key: 'y' },
  ],
  chat: [
    { keys: ['Ctrl', 'Alt'], key: 'c' },
    { keys: ['Alt'], key: 'h' },
  ],
  people: [
    { keys: ['Ctrl', 'Alt'], key: 'p' },
    { keys: ['Alt'], key: 'u' },
  ],
  float: [{ keys: ['Alt'], key: 'o' }],
  sheet: [{ keys: [], key: '?' }],
};

export type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'
> & { getModifierState?: (key: string) => boolean };

export function actionOf(event: Pressed): ShortcutAction | null {
  const ctrl = event.ctrlKey || event.metaKey;
  const writes = isField(event.target) || event.getModifierState?.('AltGraph') === true;
  // A combination that writes a character, or might (Alt does on a Mac), belongs to the field.
  if (writes && (!ctrl || event.altKey)) return null;
  const key = keyOf(event);
  if (event.shiftKey && key !== '?') return null;
  const found = actions.find((action) =>
    shortcuts[action].some(
      (one) =>
        one.key === key &&
        one.keys.includes('Ctrl') === ctrl &&
        one.keys.includes('Alt') === event.altKey,
    ),
  );
  return found ?? null;
}

const actions: readonly ShortcutAction[] = [
  'microphone',
  'camera',
  'hand',
  'chat',
  'people',
  'float',
  'sheet',
];

/** The letter of the key, even if Alt changes the character. */
function keyOf({ key, code, altKey }: Pressed): string {
  const fromPlace = altKey && !/^[a-z]$/i.test(key) && code.startsWith('Key');
  return (fromPlace ? code.slice('Key'.length) : key).toLowerCase();
}

const fields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
const pressable = 'button, a, summary, dialog, [popover], [role="button"], [tabindex]';

export const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(fields) !== null;

/** Whether Space already has a function on this element. */
export const takesSpace = (target: EventTarget | null): boolean =>
  isField(target) || (target instanceof Element && target.closest(pressable) !== null);
