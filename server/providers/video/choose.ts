import { mockVideo } from './mock.ts';
import { ownPage } from './own-page.ts';
import type { VideoEngine } from './port.ts';

/** What of the configuration decides. */
export interface VideoSettings {
  VIDEO_PROVIDER: 'builtin' | 'mock';
}

/** The engine of the calls. */
export function chooseVideo(settings: VideoSettings): VideoEngine {
  switch (settings.VIDEO_PROVIDER) {
    case 'builtin':
      return ownPage('builtin');
    case 'mock':
      return mockVideo();
  }
}
