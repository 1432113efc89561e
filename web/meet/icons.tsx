import type { ReactNode } from 'react';

const drawings = {
  microphone: (
    <>
      <rect x="9" y="2.5" width="6" height="12" rx="3" />
      <path d="M5 11a7 7 0 0 0 14 0M12 18v3.5" />
    </>
  ),
  microphoneOff: (
    <>
      <path d="M15 9.5V5.5a3 3 0 0 0-5.7-1.3M9 9v2.5a3 3 0 0 0 4.6 2.5M5 11a7 7 0 0 0 10.7 6M19 11a7 7 0 0 1-.6 2.8M12 18v3.5M3 3l18 18" />
    </>
  ),
  camera: (
    <>
      <rect x="2.5" y="6" width="13" height="12" rx="2.5" />
      <path d="m15.5 10.5 6-3.5v10l-6-3.5" />
    </>
  ),
  cameraOff: (
    <path d="M10.5 6H13a2.5 2.5 0 0 1 2.5 2.5v2l6-3.5v10l-2.7-1.6M15.5 15.5A2.5 2.5 0 0 1 13 18H5a2.5 2.5 0 0 1-2.5-2.5v-7A2.5 2.5 0 0 1 5 6M3 3l18 18" />
  ),
  blur: (
    <>
      <circle cx="12" cy="9" r="3.2" />
      <path d="M5.5 20a6.5 6.5 0 0 1 13 0M4 5v.1M4 10v.1M4 15v.1M20 5v.1M20 10v.1M20 15v.1M8 2.6v.1M16 2.6v.1" />
    </>
  ),
  screen: (
    <>
      <rect x="2.5" y="4" width="19" height="13" rx="2" />
      <path d="M8 21h8M12 13.5V8M9.5 10.2 12 7.7l2.5 2.5" />
    </>
  ),
  chat: (
    <path d="M4 5.5A1.5 1.5 0 0 1 5.5 4h13A1.5 1.5 0 0 1 20 5.5v9a1.5 1.5 0 0 1-1.5 1.5H10l-4.5 4v-4A1.5 1.5 0 0 1 4 14.5z" />
  ),
  hand: (
    <path d="M8 12.5V6a1.5 1.5 0 0 1 3 0v5-7a1.5 1.5 0 0 1 3 0v7-5.5a1.5 1.5 0 0 1 3 0V14c0 4-2 7-5.5 7-3 0-4.3-1.6-5.7-4.4l-1.6-3.1a1.4 1.4 0 0 1 2.4-1.4z" />
  ),
  smile: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M8.5 14.5a4.2 4.2 0 0 0 7 0M9 9.5v.2M15 9.5v.2" />
    </>
  ),
  captions: (
    <>
      <rect x="2.5" y="5" width="19" height="14" rx="2.5" />
      <path d="M10.5 10.2a2.4 2.4 0 1 0 0 3.6M17.5 10.2a2.4 2.4 0 1 0 0 3.6" />
    </>
  ),
  close: <path d="m6 6 12 12M18 6 6 18" />,
  people: (
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M2.5 19.5a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 13.7a6.5 6.5 0 0 1 3.5 5.8" />
    </>
  ),
  lock: (
    <>
      <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5" />
    </>
  ),
  settings: (
    <>
      <path d="M4 7h9M19 7h1M4 17h1M11 17h9" />
      <circle cx="16" cy="7" r="2.5" />
      <circle cx="8" cy="17" r="2.5" />
    </>
  ),
  fullscreen: <path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />,
  exitFullscreen: <path d="M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5" />,
  leave: (
    <path d="M3.2 14.6c-.9-1-.8-2.5.1-3.4C8 6.7 16 6.7 20.7 11.2c.9.9 1 2.4.1 3.4l-.6.7a1.5 1.5 0 0 1-1.8.3l-2.3-1.2a1.5 1.5 0 0 1-.8-1.3v-1.4c-2-.7-4.6-.7-6.6 0v1.4c0 .5-.3 1-.8 1.3l-2.3 1.2a1.5 1.5 0 0 1-1.8-.3z" />
  ),
  sound: (
    <path d="M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9a4.2 4.2 0 0 1 0 6M18.5 6a8.5 8.5 0 0 1 0 12" />
  ),
  layout: (
    <>
      <rect x="3" y="4" width="18" height="16" rx="2" />
      <path d="M15 4v16M15 12h6" />
    </>
  ),
  pin: <path d="M9 3.5h6l-.8 6.5 3.3 3.5h-11L9.8 10zM12 13.5V21" />,
  eyeOff: (
    <path d="M9.9 5.3A9.5 9.5 0 0 1 21.5 12a13 13 0 0 1-2 2.9M6.3 6.6A13 13 0 0 0 2.5 12 9.7 9.7 0 0 0 16.4 17.4M10 10.2a2.8 2.8 0 0 0 3.9 3.9M3 3l18 18" />
  ),
  eye: (
    <>
      <path d="M2.5 12a10.2 10.2 0 0 1 19 0 10.2 10.2 0 0 1-19 0" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  move: (
    <path d="M12 3v18M3 12h18M9.5 5.5 12 3l2.5 2.5M9.5 18.5 12 21l2.5-2.5M5.5 9.5 3 12l2.5 2.5M18.5 9.5 21 12l-2.5 2.5" />
  ),
  signal: <path d="M4 20v-5M12 20V10M20 20V4" />,
  record: (
    <>
      <circle cx="12" cy="12" r="9" />
      <circle cx="12" cy="12" r="4" fill="currentColor" />
    </>
  ),
  alert: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7.5v5.5M12 16.3v.2" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  );
}
