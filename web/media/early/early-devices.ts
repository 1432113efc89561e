import { started } from './started.ts';

let early = started().devices ?? null;

/** Requests devices, or returns once what the page's first script got for the same constraints. */
export function askDevices(wanted: MediaStreamConstraints): Promise<MediaStream> {
  const asked = early;
  early = null;
  if (asked?.constraints === JSON.stringify(wanted)) return asked.answer;
  asked?.answer.then(giveBack, () => {});
  return navigator.mediaDevices.getUserMedia(wanted);
}

/** Stops the devices that the first script requested, if nothing has used them. */
export function forgetEarlyDevices(): void {
  early?.answer.then(giveBack, () => {});
  early = null;
}

function giveBack(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
