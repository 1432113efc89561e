import type { RoomId } from '#domain/ids.ts';
import type { Config } from '#server/config.ts';

/** Where a room's call is loaded from; `mock-video` in it marks the demo (decisions.md). */
export function meetingAddress(config: Config, publicUrl: string, room: RoomId): string {
  const path = config.VIDEO_PROVIDER === 'mock' ? 'mock-video' : 'meet';
  return `${publicUrl}/${path}/${room}`;
}
