import type { MeetingView } from '#domain/calls/frame-messages.ts';

/**
 * The one frame that holds the call. It is beside the application, not in it: an iframe that moves
 * in the document reloads and drops the call. Pages only set where it appears.
 */
const permissions = 'camera; microphone; fullscreen; display-capture; autoplay; clipboard-write';

/**
 * Whether the address is the mock provider's (docs/product-decisions.md); the page then simulates
 * the call.
 */
export const isSimulated = (dailyUrl: string) => dailyUrl.includes('mock-video');

interface Joinable {
  dailyUrl: string;
  meetingToken: string;
  /** Present for a hosted page, which the provider's own library loads. */
  panelToken?: string | undefined;
}

/** Returns the address that the frame loads, or null if there is nothing to load. */
export function frameAddress({ dailyUrl, meetingToken, panelToken }: Joinable): string | null {
  if (panelToken) return null;
  if (!dailyUrl || !meetingToken || isSimulated(dailyUrl)) return null;
  return `${dailyUrl}${dailyUrl.includes('?') ? '&' : '?'}t=${encodeURIComponent(meetingToken)}`;
}

let frame: HTMLIFrameElement | null = null;
let hosted: FrameDriver | null = null;
let heard: unknown[] = [];
const listeners = new Set<(message: unknown) => void>();

/** Connects a hosted page in the frame, which does not use Rapport's messages. */
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

/** Loads the call, unless this address is open already. */
export function openFrame(address: string): void {
  if (frame?.getAttribute('src') === address) return;
  makeFrame(address);
}

/**
 * Opens a hosted page of a room: `drive` gets the empty frame, and a function that sends the
 * messages of Rapport's own page.
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

/** Puts the frame over an area of the page, in CSS pixels of the window. */
export function placeFrame(place: { top: number; left: number; width: number; height: number }) {
  if (frame === null) return;
  for (const side of ['top', 'left', 'width', 'height'] as const)
    frame.style[side] = `${place[side]}px`;
}

export const nameFrame = (title: string) => {
  if (frame) frame.title = title;
};

/** Sets the frame's style for how much of it is visible; its document does not change. */
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

/**
 * Calls the listener with the meeting's messages, including earlier ones. Returns a function that
 * stops it.
 */
export function onMeetingMessage(hearMessage: (message: unknown) => void): () => void {
  listeners.add(hearMessage);
  for (const message of heard) hearMessage(message);
  return () => listeners.delete(hearMessage);
}

export function tellMeeting(message: object): void {
  if (hosted) hosted.tell(message);
  else frame?.contentWindow?.postMessage(message, originOf(frame.src));
}
