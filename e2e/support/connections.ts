import type { Frame, Page } from 'playwright-core';

/**
 * Runs before the page's code: restricts its peer connections to relays, as behind a firewall that
 * blocks everything else, and collects them for the test.
 */
export function relayOnly(): void {
  const made: RTCPeerConnection[] = [];
  Object.assign(window, { connectionsOfPage: made });
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration: RTCConfiguration = {}) {
      super({ ...configuration, iceTransportPolicy: 'relay' });
      made.push(this);
    }
  };
}

/** Runs before the page's code: collects its peer connections for the test. */
export function keepConnections(): void {
  const made: RTCPeerConnection[] = [];
  Object.assign(window, { connectionsOfPage: made });
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      made.push(this);
    }
  };
}

/** Returns how the page is connected: through relays by `udp`, `tcp`, `tls`, or directly, `host`, `prflx`. */
export function relayProtocols(page: Page | Frame): Promise<string[]> {
  return page.evaluate(async () => {
    const found = new Set<string>();
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    for (const connection of Array.isArray(made) ? made : []) {
      const entries: Record<string, unknown>[] = [...(await connection.getStats()).values()];
      const transport = entries.find(({ type }) => type === 'transport');
      const pair = entries.find(({ id }) => id === transport?.selectedCandidatePairId);
      const local = entries.find(({ id }) => id === pair?.localCandidateId);
      if (local) found.add(`${local.relayProtocol ?? local.candidateType}`);
    }
    return [...found];
  });
}

/** Returns how many packets of that kind the page's connections have received. */
export function arrivedPackets(page: Page | Frame, wanted: 'audio' | 'video'): Promise<number> {
  return page.evaluate(async (kind) => {
    let arrived = 0;
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    for (const connection of Array.isArray(made) ? made : []) {
      for (const entry of (await connection.getStats()).values()) {
        if (entry.type === 'inbound-rtp' && entry.kind === kind) arrived += entry.packetsReceived;
      }
    }
    return arrived;
  }, wanted);
}

/** Restarts ICE on all the page's connections, as the page does when one is lost. */
export function restartPaths(page: Page): Promise<void> {
  return page.evaluate(() => {
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    for (const connection of Array.isArray(made) ? made : []) {
      if (connection.connectionState === 'connected') connection.restartIce();
    }
  });
}

/** Returns the signaling states of the page's open connections. */
export function signalingStates(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    const states = (Array.isArray(made) ? made : []).map((one) => String(one.signalingState));
    return [...new Set(states)].filter((state) => state !== 'closed');
  });
}

/** Returns the states of all connections that the page has made, in order. */
export function connectionStates(page: Page | Frame): Promise<string[]> {
  return page.evaluate(() => {
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    return Array.isArray(made) ? made.map((one) => String(one.connectionState)) : [];
  });
}
