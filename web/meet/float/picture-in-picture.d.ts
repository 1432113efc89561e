/** Chromium only, and not in TypeScript's library: https://wicg.github.io/document-picture-in-picture */
interface DocumentPictureInPicture extends EventTarget {
  requestWindow(options: { width: number; height: number }): Promise<Window>;
  readonly window: Window | null;
}

interface Window {
  readonly documentPictureInPicture?: DocumentPictureInPicture;
}

/** https://w3c.github.io/mediasession: the buttons of a call. */
interface MediaSession {
  setActionHandler(
    action: 'togglemicrophone' | 'togglecamera' | 'hangup',
    handler: (() => void) | null,
  ): void;
}
