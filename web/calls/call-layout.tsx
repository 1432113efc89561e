import type { ReactNode } from 'react';

interface CallLayoutProps {
  header: ReactNode;
  video: ReactNode;
  panel: ReactNode;
}

/** Video beside the panel; on narrow screens above it. app.css has the same measures. */
export function CallLayout({ header, video, panel }: CallLayoutProps) {
  return (
    <div className="grid h-dvh grid-cols-1 grid-rows-[auto_minmax(0,1fr)]">
      {header}
      <div className="grid min-h-0 grid-cols-1 grid-rows-[var(--call-video-narrow)_minmax(0,1fr)] min-[52rem]:grid-cols-[minmax(0,1fr)_var(--call-panel)] min-[52rem]:grid-rows-1">
        {video}
        {panel}
      </div>
    </div>
  );
}
