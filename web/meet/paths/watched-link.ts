import type { Link } from './link.ts';
import { sendPicture } from './picture-size.ts';
import type { WatchedPath } from './watched-path.ts';

export const watchedLink = (link: Link): WatchedPath => ({
  key: link,
  connected: link.connection.connectionState === 'connected',
  wasConnected: link.wasConnected,
  sendsPicture: link.watched.camera,
  showsPicture: link.showsPicture,
  picture: link.picture,
  stats: async () => [...(await link.connection.getStats()).values()],
  sendPicture: (level) => sendPicture(link, level),
});
