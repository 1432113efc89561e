import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';

/** How bad it is in both directions between one person and everybody else. */
export interface Badness {
  kbitsPerSecond?: number;
  /** UDP goes nowhere, as behind many companies' firewalls. */
  dropsUdp?: boolean;
}

/** Where one person's browser runs: a network of its own, with one cable. */
export interface Place {
  /** Runs Chromium there, and takes its arguments. */
  browser: string;
  /** From now on; with nothing it is good again. */
  be(badness: Badness): void;
  unplug(): void;
  plugIn(): void;
}

/** A switch with a cable to this machine and one to each place: Linux network namespaces. */
export interface Lan {
  /** This machine's, as the places see it. */
  address: string;
  places: [Place, Place];
  close(): void;
}

/** What waits longer than this before a narrow line is thrown away, as routers do. */
const longestQueueMs = 400;

function run(command: string): void {
  const [program = '', ...args] = command.split(' ');
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
}

export const hasNetworkTools = () =>
  ['ip', 'tc', 'nft'].every((tool) => existsSync(`/usr/sbin/${tool}`));

/** Namespaces take root, iproute2 and nftables; `scripts/install-tools.ts` installs what it may. */
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

/** What a run left that was killed: its process is gone, so nobody else takes it away. */
function removeLeft(): void {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  for (const [name, mark] of stdout.matchAll(/^rapport-\w+-(\d+)/gm)) {
    if (!existsSync(`/proc/${mark}`)) spawnSync('ip', ['netns', 'del', name]);
  }
}

export function openLan(): Lan {
  removeLeft();
  const mark = process.pid;
  const net = `10.231.${mark % 256}`;
  const [hub, cable] = [`rapport-hub-${mark}`, `rapport${mark}`];
  const folder = mkdtempSync(join(tmpdir(), 'rapport-lan-'));
  const names = [`rapport-a-${mark}`, `rapport-b-${mark}`];
  const close = () => {
    for (const name of [...names, hub]) spawnSync('ip', ['netns', 'del', name]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run(`ip netns add ${hub}`);
    run(`ip -n ${hub} link add name switch type bridge`);
    run(`ip -n ${hub} link set switch up`);
    run(`ip link add name ${cable} type veth peer name server netns ${hub}`);
    run(`ip -n ${hub} link set server master switch up`);
    run(`ip addr add ${net}.1/24 dev ${cable}`);
    run(`ip link set ${cable} up`);
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
  // Leads nowhere, but a browser without one takes itself for offline.
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

/** At the switch, so that who sends does not hear of it. */
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
