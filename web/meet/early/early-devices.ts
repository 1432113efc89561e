import { started } from './started.ts';

let early = started().devices ?? null;

/** Asks for devices; where the page's first script has asked the same already, it is that answer, once. */
export function askDevices(wanted: MediaStreamConstraints): Promise<MediaStream> {
  const asked = early;
  early = null;
  if (asked?.constraints === JSON.stringify(wanted)) return asked.answer;
  asked?.answer.then(giveBack, () => {});
  return navigator.mediaDevices.getUserMedia(wanted);
}

/** Nobody takes the answer any more. */
export function forgetEarlyDevices(): void {
  early?.answer.then(giveBack, () => {});
  early = null;
}

function giveBack(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
