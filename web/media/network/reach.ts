/** How far a call can reach: without STUN or TURN, no connection leaves the local network. */
export type Reach = 'everywhere' | 'thisNetwork' | 'thisMachine';

const ownMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Returns how far a call of this page can reach.
 * @param iceServers how many the server names
 * @param hostname of the page's address
 */
export function reachOf(iceServers: number, hostname: string): Reach {
  if (iceServers > 0) return 'everywhere';
  return ownMachine.test(hostname) ? 'thisMachine' : 'thisNetwork';
}
