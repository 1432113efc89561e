import { daily } from './daily/daily.ts';
import { liveKit } from './livekit.ts';
import { egressOutput, type LiveKitConfig } from './livekit-settings.ts';
import type { MediaServer } from './media-server.ts';
import { mockVideo } from './mock.ts';
import { ownPage } from './own-page.ts';
import type { VideoEngine } from './port.ts';

/** The settings that determine the engine. */
export interface VideoSettings extends LiveKitConfig {
  VIDEO_PROVIDER: 'builtin' | 'livekit' | 'daily' | 'mock';
  DAILY_API_KEY?: string | undefined;
  DAILY_API_BASE: string;
  DAILY_URL?: string | undefined;
  DAILY_WEBHOOK_SECRET?: string | undefined;
  DAILY_RECORDING: 'off' | 'on';
}

/** Returns the engine of the calls. */
export function chooseVideo(settings: VideoSettings): VideoEngine {
  switch (settings.VIDEO_PROVIDER) {
    case 'builtin':
      return ownPage('builtin', chooseMediaServer(settings));
    case 'livekit':
      return ownPage('livekit', chooseMediaServer(settings));
    case 'daily':
      return daily({
        apiBase: settings.DAILY_API_BASE,
        // readConfig refuses this engine without them.
        apiKey: settings.DAILY_API_KEY ?? '',
        domainUrl: settings.DAILY_URL ?? '',
        hasWebhook: Boolean(settings.DAILY_WEBHOOK_SECRET),
        records: settings.DAILY_RECORDING === 'on',
      });
    case 'mock':
      return mockVideo();
  }
}

function chooseMediaServer(settings: VideoSettings): MediaServer | null {
  const { LIVEKIT_URL, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = settings;
  if (!LIVEKIT_URL || !apiKey || !apiSecret) return null;
  const urls = LIVEKIT_URL.split(',').map((url) => url.trim());
  return liveKit({ urls, apiKey, apiSecret }, egressOutput(settings));
}
