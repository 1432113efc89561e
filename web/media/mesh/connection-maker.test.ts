// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeConnection } from '../fakes.ts';
import { ConnectionMaker } from './connection-maker.ts';

const made: (FakeConnection & { configuration: RTCConfiguration | undefined })[] = [];

beforeEach(() => {
  made.length = 0;
  class Recorded extends FakeConnection {
    readonly configuration: RTCConfiguration | undefined;
    constructor(configuration?: RTCConfiguration) {
      super();
      this.configuration = configuration;
      made.push(this);
    }
  }
  vi.stubGlobal('RTCPeerConnection', Recorded);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the first offer is the one that was made ahead, described already', async () => {
  const connections = new ConnectionMaker();
  connections.warmUp();
  expect(made[0]?.signalingState).toBe('have-local-offer');
  connections.use([]);
  const { connection } = connections.beginOffer();
  expect(connection).toBe(made[0]);
  expect(connections.beginOffer().connection).toBe(made[1]);
});

test('an offer that asked no ICE server is not sent where there are some', () => {
  const connections = new ConnectionMaker();
  connections.warmUp();
  connections.use([{ urls: ['stun:stun.example.com'] }]);
  expect(made[0]?.connectionState).toBe('closed');
  connections.beginOffer();
  expect(made[1]?.configuration?.iceServers).toEqual([{ urls: ['stun:stun.example.com'] }]);
});

test('who answers gets a new connection, and none is left open', () => {
  const connections = new ConnectionMaker();
  connections.warmUp();
  connections.use([]);
  expect(connections.make()).toBe(made[1]);
  expect(made[0]?.connectionState).toBe('closed');
});

test('the connection of somebody who is about to offer is there before the offer, once', () => {
  const connections = new ConnectionMaker();
  connections.use([]);
  connections.prepare();
  connections.prepare();
  expect(made).toHaveLength(1);
  expect(connections.make()).toBe(made[0]);
  expect(connections.make()).toBe(made[1]);
});

test('a connection made ahead does not outlive the ICE servers that it knows', () => {
  const connections = new ConnectionMaker();
  connections.prepare();
  connections.use([{ urls: ['stun:stun.example.com'] }]);
  expect(made[0]?.connectionState).toBe('closed');
  expect(connections.make()).toBe(made[1]);
});
