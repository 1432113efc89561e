import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';

/** Limits in both directions between one participant and all others. */
export interface Badness {
  kbitsPerSecond?: number;
  /** Drops all UDP, as many corporate firewalls do. */
  dropsUdp?: boolean;
}

/** The network namespace of one participant's browser, with one cable. */
export interface Place {
  /** An executable that runs Chromium there with its arguments. */
  browser: string;
  /** Applies from now on; an empty value restores the network. */
  be(badness: Badness): void;
  unplug(): void;
  plugIn(): void;
}

/** A switch with a cable to this machine and one to each place: Linux network namespaces. */
export interface Lan {
  /** This machine's address in that network. */
  address: string;
  places: [Place, Place];
  close(): void;
}

/** A packet that waits longer than this for a narrow link is dropped, as routers do. */
const longestQueueMs = 400;

function run(command: string): void {
  const [program = '', ...args] = command.split(' ');
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
}

export const hasNetworkTools = () =>
  ['ip', 'tc', 'nft'].every((tool) => existsSync(`/usr/sbin/${tool}`));

/**
 * Whether namespaces are available: they need root, iproute2 and nftables, which
 * `scripts/install-tools.ts` installs.
 */
export function mayMakeNamespaces(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const trial = `rapport-trial-${process.pid}`;
  const works = (command: string) => {
    const [program = '', ...args] = command.split(' ');
    return spawnSync(program, args).status === 0;
  };
  const made =
    works(`ip netns add ${trial}`) &&
    works(`ip -n ${trial} link add name one type veth peer name other`) &&
    works(`tc -n ${trial} qdisc add dev one root tbf rate 1mbit burst 2kb latency 400ms`) &&
    works(`ip netns exec ${trial} nft add table bridge trial`);
  spawnSync('ip', ['netns', 'del', trial]);
  return made;
}

/** Removes namespaces of a killed run, whose process no longer exists. */
function removeLeft(): void {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  for (const [name, mark] of stdout.matchAll(/^rapport-\w+-(\d+)/gm)) {
    if (!existsSync(`/proc/${mark}`)) spawnSync('ip', ['netns', 'del', name]);
  }
}

interface Cable {
  hub: string;
  /** The first three numbers of the addresses. */
  net: string;
}

/**
 * Lays the cable between this machine and the switch, before the first browser of a run starts: when an address of
 * this machine comes or goes, browsers abandon all requests (ERR_NETWORK_CHANGED). Returns a function that removes it.
 */
export function layCable(): () => void {
  if (!mayMakeNamespaces()) return () => undefined;
  removeLeft();
  const mark = process.pid;
  const cable: Cable = { hub: `rapport-hub-${mark}`, net: `10.231.${mark % 256}` };
  const { hub, net } = cable;
  const remove = () => void spawnSync('ip', ['netns', 'del', hub]);
  const device = `rapport${mark}`;
  try {
    run(`ip netns add ${hub}`);
    run(`ip -n ${hub} link add name switch type bridge`);
    run(`ip -n ${hub} link set switch up`);
    run(`ip link add name ${device} type veth peer name server netns ${hub}`);
    run(`ip -n ${hub} link set server master switch up`);
    run(`ip addr add ${net}.1/24 dev ${device}`);
    run(`ip link set ${device} up`);
  } catch (error) {
    remove();
    throw error;
  }
  process.env.LAN_CABLE = JSON.stringify(cable);
  return remove;
}

/** Connects two places to the cable that was laid. One file at a time may. */
export function openLan(): Lan {
  if (!process.env.LAN_CABLE) throw new Error('no cable was laid');
  const { hub, net }: Cable = JSON.parse(process.env.LAN_CABLE);
  const mark = process.pid;
  const folder = mkdtempSync(join(tmpdir(), 'rapport-lan-'));
  const names = [`rapport-a-${mark}`, `rapport-b-${mark}`];
  const close = () => {
    for (const name of names) spawnSync('ip', ['netns', 'del', name]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [a = '', b = ''] = names;
    const places: Lan['places'] = [
      openPlace({ hub, name: a, port: 'port-a', net, host: 2 }, folder),
      openPlace({ hub, name: b, port: 'port-b', net, host: 3 }, folder),
    ];
    return { address: `${net}.1`, places, close };
  } catch (error) {
    close();
    throw error;
  }
}

interface Socket {
  hub: string;
  name: string;
  port: string;
  net: string;
  host: number;
}

function openPlace({ hub, name, port, net, host }: Socket, folder: string): Place {
  run(`ip netns add ${name}`);
  run(`ip -n ${hub} link add name ${port} type veth peer name eth0 netns ${name}`);
  run(`ip -n ${hub} link set ${port} master switch up`);
  run(`ip -n ${name} addr add ${net}.${host}/24 dev eth0`);
  for (const device of ['lo', 'eth0']) run(`ip -n ${name} link set ${device} up`);
  // Leads nowhere, but without a default route a browser considers itself offline.
  run(`ip -n ${name} route add default via ${net}.1`);
  const browser = join(folder, name);
  writeFileSync(browser, `#!/bin/sh\nexec ip netns exec ${name} '${findBrowser()}' "$@"\n`);
  chmodSync(browser, 0o755);
  return {
    browser,
    be: ({ kbitsPerSecond, dropsUdp }) => {
      for (const [namespace, device] of [
        [name, 'eth0'],
        [hub, port],
      ]) {
        spawnSync('tc', ['-n', `${namespace}`, 'qdisc', 'del', 'dev', `${device}`, 'root']);
        if (kbitsPerSecond === undefined) continue;
        const tbf = `tbf rate ${kbitsPerSecond}kbit burst 2kb latency ${longestQueueMs}ms`;
        run(`tc -n ${namespace} qdisc add dev ${device} root ${tbf}`);
      }
      firewall(hub, port, dropsUdp ?? false);
    },
    unplug: () => run(`ip -n ${hub} link set ${port} down`),
    plugIn: () => run(`ip -n ${hub} link set ${port} up`),
  };
}

/** On the switch, so that the sender gets no error. */
function firewall(hub: string, port: string, dropsUdp: boolean): void {
  const nft = (...args: string[]) => ['netns', 'exec', hub, 'nft', ...args];
  spawnSync('ip', nft('delete', 'table', 'bridge', port));
  if (!dropsUdp) return;
  const rules = [
    `table bridge ${port} {`,
    '  chain firewall {',
    '    type filter hook forward priority 0;',
    `    iifname "${port}" meta l4proto udp drop;`,
    `    oifname "${port}" meta l4proto udp drop;`,
    '  }',
    '}',
    '',
  ].join('\n');
  const { status, stderr } = spawnSync('ip', nft('-f', '-'), { input: rules, encoding: 'utf8' });
  if (status !== 0) throw new Error(`nft: ${stderr}`);
}
