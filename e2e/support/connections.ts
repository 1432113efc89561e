import type { Frame, Page } from 'playwright-core';

/**
 * Run before a page's own code: its connections use a relay or nothing, as behind a firewall that
 * lets nothing else through, and are kept where a test finds them.
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

/** Run before a page's own code: its connections are kept where a test finds them. */
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

/** How the page's connections go: through relays by `udp`, `tcp`, `tls`, or straight, `host`, `prflx`. */
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

/** How many packets of that kind the page's connections have got. */
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

/** Has the page seek a new path to everybody, as it does when one is lost. */
export function restartPaths(page: Page): Promise<void> {
  return page.evaluate(() => {
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    for (const connection of Array.isArray(made) ? made : []) {
      if (connection.connectionState === 'connected') connection.restartIce();
    }
  });
}

/** How far the negotiation of the page's connections is, of those that are not closed. */
export function signalingStates(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    const states = (Array.isArray(made) ? made : []).map((one) => String(one.signalingState));
    return [...new Set(states)].filter((state) => state !== 'closed');
  });
}

/** What became of the connections that the page has made so far, in their order. */
export function connectionStates(page: Page | Frame): Promise<string[]> {
  return page.evaluate(() => {
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    return Array.isArray(made) ? made.map((one) => String(one.connectionState)) : [];
  });
}
