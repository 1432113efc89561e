import type { MonitoredConnection } from '../monitored-connection.ts';
import type { VideoLevel } from '../network/network-level.ts';
import type { Sender } from '../webrtc.ts';
import { type PeerConnection, personTransceivers } from './peer-connection.ts';

/** How much smaller the camera video is sent at first, and for how long. */
const smaller = 2;
const smallForMs = 2_500;

/** The encodings of the side that offers, at first. */
export const smallFirst: RTCRtpEncodingParameters[] = [{ scaleResolutionDownBy: smaller }];

/**
 * Sends a smaller video first. Browsers assume that a new connection is slow (300 kbit/s), and drop
 * frames that are too large for that until they have measured it: at 720 lines that delayed the
 * other side's first frame by 0.1 s and more; at 360 lines no frame is dropped.
 */
export function beginSmall(pc: PeerConnection): void {
  for (const sender of videoSenders(pc)) void change(sender, { scaleResolutionDownBy: smaller });
}

/**
 * Sends the full-size video once the browser has measured the new connection. From then on audio
 * has priority.
 */
export function growSoon(pc: PeerConnection): void {
  setTimeout(() => {
    sendVideo(pc, pc.level);
    const { audio } = personTransceivers(pc);
    if (audio) void change(audio.sender, { priority: 'high', networkPriority: 'high' });
  }, smallForMs);
}

/** Audio bitrates, bit/s: the browsers' default, and one that is still clear where video is too much. */
const usualAudio = 32_000;
const frugalAudio = 20_000;

const sizes = { full: 1, half: 2, quarter: 4, paused: 4 } satisfies Record<VideoLevel, number>;

/** Sends that much of the camera video, without negotiation. */
export function sendVideo(pc: PeerConnection, level: VideoLevel): void {
  pc.level = level;
  const active = level !== 'paused' && pc.wanted.camera;
  for (const sender of videoSenders(pc)) {
    void change(sender, { scaleResolutionDownBy: sizes[level], active });
  }
  const { audio } = personTransceivers(pc);
  const maxBitrate = level === 'paused' ? frugalAudio : usualAudio;
  if (audio) void change(audio.sender, { maxBitrate });
}

/** Sends only the videos that the other page shows. Each begins with a key frame again. */
export function sendWanted(pc: PeerConnection, wanted: PeerConnection['wanted']): void {
  pc.wanted = wanted;
  sendVideo(pc, pc.level);
  const { video: screen } = pc.screen;
  if (screen) void change(screen.sender, { active: wanted.screen });
}

/** The peer connection as the network watch uses it. */
export const monitoredPeer = (pc: PeerConnection): MonitoredConnection => ({
  key: pc,
  connected: pc.connection.connectionState === 'connected',
  wasConnected: pc.wasConnected,
  sendsVideo: pc.wanted.camera,
  showsVideo: pc.showsVideo,
  level: pc.level,
  stats: async () => [...(await pc.connection.getStats()).values()],
  sendVideo: (level) => sendVideo(pc, level),
});

function videoSenders(pc: PeerConnection): Sender[] {
  const { video } = personTransceivers(pc);
  return video ? [video.sender] : [];
}

async function change(sender: Sender, changed: Partial<RTCRtpEncodingParameters>): Promise<void> {
  try {
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) Object.assign(encoding, changed);
    await sender.setParameters(parameters);
  } catch {
    // The connection was closed meanwhile, or the browser cannot change this: sending continues
    // unchanged.
  }
}
