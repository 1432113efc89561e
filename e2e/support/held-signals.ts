import type { Page } from 'playwright-core';

/** Runs before the page's code: signals to other pages wait while the test holds them. */
export function signalsWait(): void {
  const send = WebSocket.prototype.send;
  const waiting: [WebSocket, string][] = [];
  WebSocket.prototype.send = function held(data) {
    const isSignal = typeof data === 'string' && data.startsWith('{"type":"signal"');
    if (isSignal && Reflect.get(window, 'signalsHeld') === true) waiting.push([this, data]);
    else send.call(this, data);
  };
  Reflect.set(window, 'letSignalsGo', () => {
    Reflect.set(window, 'signalsHeld', false);
    for (const [line, data] of waiting.splice(0)) send.call(line, data);
  });
}

export function holdSignals(page: Page): Promise<void> {
  return page.evaluate(() => {
    Reflect.set(window, 'signalsHeld', true);
  });
}

export function letSignalsGo(page: Page): Promise<void> {
  return page.evaluate(() => {
    const go: unknown = Reflect.get(window, 'letSignalsGo');
    if (typeof go === 'function') go();
  });
}
