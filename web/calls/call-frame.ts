import type { MeetingView } from '#domain/calls/live.ts';

/**
 * The one frame that holds the call. It lives beside the application, not in it: an iframe that is
 * moved in the document loads anew and drops the call. Pages only say where it should appear.
 */
const permissions = 'camera; microphone; fullscreen; display-capture; autoplay; clipboard-write';

/** The mock provider's addresses carry it (docs/product-decisions.md); the page then simulates the call. */
export const isSimulated = (dailyUrl: string) => dailyUrl.includes('mock-video');

interface Joinable {
  dailyUrl: string;
  meetingToken: string;
  /** There where the page is hosted, which its own library loads. */
  panelToken?: string | undefined;
}

/** What the frame loads, or null where there is nothing to load. */
export function frameAddress({ dailyUrl, meetingToken, panelToken }: Joinable): string | null {
  if (panelToken) return null;
  if (!dailyUrl || !meetingToken || isSimulated(dailyUrl)) return null;
  return `${dailyUrl}${dailyUrl.includes('?') ? '&' : '?'}t=${encodeURIComponent(meetingToken)}`;
}

let frame: HTMLIFrameElement | null = null;
let hosted: FrameDriver | null = null;
let heard: unknown[] = [];
const listeners = new Set<(message: unknown) => void>();

/** Speaks for a hosted page in the frame, which does not know our messages. */
export interface FrameDriver {
  tell(message: object): void;
  close(): void;
}
type Say = (message: object) => void;

const originOf = (address: string) => new URL(address, window.location.href).origin;

function hear(event: MessageEvent) {
  if (frame === null || event.source !== frame.contentWindow) return;
  if (hosted || event.origin !== originOf(frame.src)) return;
  take(event.data);
}

function take(message: unknown) {
  heard.push(message);
  for (const listener of listeners) listener(message);
}

/** Loads the call. Nothing happens when this very address is open already. */
export function openFrame(address: string): void {
  if (frame?.getAttribute('src') === address) return;
  makeFrame(address);
}

/**
 * The same for a hosted page of a room: `drive` gets the empty frame, and how to say what our page
 * would.
 */
export function openHostedFrame(
  roomId: string,
  drive: (frame: HTMLIFrameElement, say: Say) => FrameDriver,
): void {
  if (frame?.dataset.room === roomId) return;
  const made = makeFrame(null);
  made.dataset.room = roomId;
  hosted = drive(made, (message) => {
    if (made === frame) take({ rapport: 1, ...message });
  });
}

function makeFrame(address: string | null): HTMLIFrameElement {
  closeFrame();
  frame = document.createElement('iframe');
  frame.className = 'call-frame';
  frame.allow = permissions;
  if (address) frame.src = address;
  window.addEventListener('message', hear);
  (document.getElementById('stage') ?? document.body).append(frame);
  return frame;
}

/** Puts the frame over a place of the page, in CSS pixels of the window. */
export function placeFrame(place: { top: number; left: number; width: number; height: number }) {
  if (frame === null) return;
  for (const side of ['top', 'left', 'width', 'height'] as const)
    frame.style[side] = `${place[side]}px`;
}

export const nameFrame = (title: string) => {
  if (frame) frame.title = title;
};

/** Says how much of it is seen, for its looks; its document stays as it is. */
export const sizeFrame = (view: MeetingView) => {
  if (frame) frame.dataset.view = view;
};

export function closeFrame(): void {
  window.removeEventListener('message', hear);
  hosted?.close();
  hosted = null;
  frame?.remove();
  frame = null;
  heard = [];
}

/** Hears what the meeting says, and what it said before. Returns how to stop. */
export function onMeetingMessage(hearMessage: (message: unknown) => void): () => void {
  listeners.add(hearMessage);
  for (const message of heard) hearMessage(message);
  return () => listeners.delete(hearMessage);
}

export function tellMeeting(message: object): void {
  if (hosted) hosted.tell(message);
  else frame?.contentWindow?.postMessage(message, originOf(frame.src));
}
