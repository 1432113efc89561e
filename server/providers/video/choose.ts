import { daily } from './daily/daily.ts';
import { mockVideo } from './mock.ts';
import { ownPage } from './own-page.ts';
import type { VideoEngine } from './port.ts';

/** What of the configuration decides. */
export interface VideoSettings {
  VIDEO_PROVIDER: 'builtin' | 'daily' | 'mock';
  DAILY_API_KEY?: string | undefined;
  DAILY_API_BASE: string;
  DAILY_URL?: string | undefined;
}

/** The engine of the calls. */
export function chooseVideo(settings: VideoSettings): VideoEngine {
  switch (settings.VIDEO_PROVIDER) {
    case 'builtin':
      return ownPage('builtin');
    case 'daily':
      return daily({
        apiBase: settings.DAILY_API_BASE,
        // readConfig refuses this engine without them.
        apiKey: settings.DAILY_API_KEY ?? '',
        domainUrl: settings.DAILY_URL ?? '',
      });
    case 'mock':
      return mockVideo();
  }
}
