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

test('the first offer uses the connection that was made early, with its description set', async () => {
  const connections = new ConnectionMaker();
  connections.warmUp();
  expect(made[0]?.signalingState).toBe('have-local-offer');
  connections.use([]);
  const { connection } = connections.beginOffer();
  expect(connection).toBe(made[0]);
  expect(connections.beginOffer().connection).toBe(made[1]);
});

test('an offer without candidates from ICE servers is not used if the server names some', () => {
  const connections = new ConnectionMaker();
  connections.warmUp();
  connections.use([{ urls: ['stun:stun.example.com'] }]);
  expect(made[0]?.connectionState).toBe('closed');
  connections.beginOffer();
  expect(made[1]?.configuration?.iceServers).toEqual([{ urls: ['stun:stun.example.com'] }]);
});

test('an answer gets a new connection, and the early one is closed', () => {
  const connections = new ConnectionMaker();
  connections.warmUp();
  connections.use([]);
  expect(connections.make()).toBe(made[1]);
  expect(made[0]?.connectionState).toBe('closed');
});

test('prepare makes one connection for the next offer of another page', () => {
  const connections = new ConnectionMaker();
  connections.use([]);
  connections.prepare();
  connections.prepare();
  expect(made).toHaveLength(1);
  expect(connections.make()).toBe(made[0]);
  expect(connections.make()).toBe(made[1]);
});

test('a connection that was made early is closed when the ICE servers change', () => {
  const connections = new ConnectionMaker();
  connections.prepare();
  connections.use([{ urls: ['stun:stun.example.com'] }]);
  expect(made[0]?.connectionState).toBe('closed');
  expect(connections.make()).toBe(made[1]);
});
