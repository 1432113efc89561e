import { useEffect } from 'react';
import type { PagePlayer } from './page-player.ts';
import { rates } from './player-state.ts';

export const skipMs = 10_000;
const stepMs = 5000;

interface Others {
  fullscreen: () => void;
  transcript: () => void;
  help: () => void;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>;

const fields =
  'input:not([type="range"]), textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Elements on which Space and the arrows have a function already. */
const operable = 'button, a, summary, input, select, [role="menuitem"], [role="tab"]';

/** Returns what a key does in the player; null for keys that belong to the page. */
export function actionOf(
  pressed: Pressed,
  player: PagePlayer,
  others: Others,
): (() => void) | null {
  const { key, ctrlKey, metaKey, altKey, target } = pressed;
  if (ctrlKey || metaKey || altKey || isIn(target, fields)) return null;
  // A dialog or a menu has its own keys.
  if (isIn(target, '[role="dialog"], [role="alertdialog"], [role="menu"]')) return null;
  if ((key === ' ' || key.startsWith('Arrow')) && isIn(target, operable)) return null;
  const { rate, isMuted, durationMs } = player.state.getSnapshot();
  if (/^\d$/.test(key)) return () => player.seek((durationMs * Number(key)) / 10);
  const actions: Record<string, () => void> = {
    ' ': () => player.toggle(),
    k: () => player.toggle(),
    j: () => player.skip(-skipMs),
    l: () => player.skip(skipMs),
    arrowleft: () => player.skip(-stepMs),
    arrowright: () => player.skip(stepMs),
    m: () => player.setMuted(!isMuted),
    '<': () => player.setRate(rates[rates.indexOf(rate) - 1] ?? rate),
    '>': () => player.setRate(rates[rates.indexOf(rate) + 1] ?? rate),
    f: others.fullscreen,
    c: others.transcript,
    '?': others.help,
  };
  return actions[key.toLowerCase()] ?? null;
}

const isIn = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null;

/** The player's keys work wherever the focus is on the page. */
export function useKeys(player: PagePlayer, others: Others): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const action = event.defaultPrevented ? null : actionOf(event, player, others);
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}
