import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { classArchive, engineFolder, javaCommand, securedEngineFolder } from './engine.ts';
import type { ClusterNetwork, Hosts } from './network.ts';
import { asAdministrator, hasRules, isSecured, securitySettings, writeSecurity } from './security.ts';

/** A running node. */
export interface ClusterNode {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
}

export interface ClusterOptions {
  /** Of a new cluster, three unless given. */
  readonly nodes?: 1 | 3;
  /** Such as `-XX:TieredStopAtLevel=1`, which halves the processor time of a start. */
  readonly javaOptions?: readonly string[];
  /** Settings of OpenSearch, beside or instead of those here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where the nodes are instead of on the loopback. It is that of every call for the same cluster, and outlives the nodes. */
  readonly network?: ClusterNetwork;
}

/** Where a node listens. */
interface NodeAddress extends Hosts {
  readonly http: number;
  readonly transport: number;
}

/** Of nodes. */
export const names: readonly string[] = ['node-1', 'node-2', 'node-3'];
const host = '127.0.0.1';
/** `nobody`, since OpenSearch refuses to run as root. */
const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;
/** A busy machine takes a minute for a node. */
const startSeconds = 300;

/**
 * Starts nodes of OpenSearch on the loopback, as processes that outlive this one, and waits until the cluster
 * is green. Nodes that run already stay as they are. A node that has ended starts again with its port and its data.
 *
 * @param folder holds settings, data and logs; made where it is absent
 * @param options apply to the nodes that this call starts
 * @throws Error with the last lines of a node that does not start
 */
export async function startCluster(folder: string, options: ClusterOptions = {}): Promise<readonly ClusterNode[]> {
  await startNodes(folder, options);
  await untilGreen(folder);
  return nodesIn(folder);
}

/** As `startCluster`, without waiting for the nodes to be ready. */
export async function startNodes(folder: string, options: ClusterOptions = {}): Promise<void> {
  const java = javaCommand();
  ownFolder(folder);
  if (!existsSync(addressesFile(folder)))
    writeFileSync(addressesFile(folder), JSON.stringify(await freeAddresses(options)));
  const running = pidsIn(folder);
  for (const name of namesIn(folder)) if (!running.has(name)) await startNode(folder, name, java, options);
}

/** Writes the archive of the engine's classes, unless it is there: a node makes it when it ends. */
export async function archiveClasses(): Promise<void> {
  const archive = classArchive(engineFolder());
  if (existsSync(archive)) return;
  const folder = mkdtempSync(join(tmpdir(), 'sosia-classes-'));
  try {
    const made = join(folder, 'classes.jsa');
    const [node] = await startCluster(folder, { nodes: 1, javaOptions: [`-XX:ArchiveClassesAtExit=${made}`] });
    process.kill(node!.pid, 'SIGTERM');
    while (pidsIn(folder).size > 0) await setTimeout(200);
    copyFileSync(made, archive);
  } finally {
    await stopCluster(folder);
  }
}

/** Where the data of a node is. */
export const dataFolder = (folder: string, name: string): string => join(folder, name, 'data');

/** Kills the nodes and removes the folder; does nothing where there is neither. */
export async function stopCluster(folder: string): Promise<void> {
  for (const pid of pidsIn(folder).values()) process.kill(pid, 'SIGKILL');
  while (pidsIn(folder).size > 0) await setTimeout(50);
  rmSync(folder, { recursive: true, force: true });
}

/** The nodes that run. */
export function nodesIn(folder: string): readonly ClusterNode[] {
  const pids = pidsIn(folder);
  if (pids.size === 0) return [];
  const addresses = addressesIn(folder);
  return [...pids].map(([name, pid]) => ({
    name,
    url: `${isSecured(folder) ? 'https' : 'http'}://${addresses[name]!.clients}:${addresses[name]!.http}`,
    pid,
  }));
}

/** Process ids by name of the node. A node is recognized by its settings, which its command line names. */
function pidsIn(folder: string): ReadonlyMap<string, number> {
  const processes = execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return new Map(
    names.flatMap((name) => {
      const line = processes.split('\n').find((line) => line.includes(` ${settingsOption(folder, name)} `));
      return line === undefined ? [] : [[name, Number.parseInt(line)] as const];
    }),
  );
}

const settingsOption = (folder: string, name: string): string =>
  `-Dopensearch.path.conf=${join(folder, name, 'config')}`;

const addressesFile = (folder: string): string => join(folder, 'addresses.json');

function addressesIn(folder: string): Readonly<Record<string, NodeAddress>> {
  return JSON.parse(readFileSync(addressesFile(folder), 'utf8')) as Record<string, NodeAddress>;
}

const namesIn = (folder: string): readonly string[] => Object.keys(addressesIn(folder));

/** Free ports of the loopback, and so of an empty namespace. */
async function freeAddresses({ nodes = 3, network }: ClusterOptions): Promise<Record<string, NodeAddress>> {
  const own = names.slice(0, nodes);
  const servers = own.flatMap(() => [createServer().listen(0, host), createServer().listen(0, host)]);
  await Promise.all(servers.map(async (server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => once(server.close(), 'close')));
  return Object.fromEntries(
    own.map((name, i) => {
      const hosts = network?.hosts(name) ?? { clients: host, peers: host };
      return [name, { ...hosts, http: ports[2 * i]!, transport: ports[2 * i + 1]! }];
    }),
  );
}

async function startNode(folder: string, name: string, java: string, options: ClusterOptions): Promise<void> {
  const secured = isSecured(folder);
  const home = secured ? securedEngineFolder() : engineFolder();
  const place = (part: string): string => join(folder, name, part);
  for (const part of ['.', 'config', 'data', 'logs', 'tmp']) ownFolder(place(part));
  // not copied, since the original is readable by its owner alone
  writeFileSync(place('config/log4j2.properties'), readFileSync(join(home, 'config/log4j2.properties')));
  if (secured) writeSecurity(folder, place('config'));
  const settings = { ...settingsOf(folder, name), ...(secured && securitySettings), ...options.settings };
  writeFileSync(place('config/opensearch.yml'), JSON.stringify(settings, null, 2));
  const log = openSync(place('output.log'), 'a');
  const { network } = options;
  const [program = java, ...words] = network && owner ? [...network.enter(name, owner), java] : [];
  const child = spawn(
    program,
    [
      ...words,
      ...['-Xms512m', '-Xmx512m', '-Djava.security.manager=allow', `-Djava.io.tmpdir=${place('tmp')}`],
      '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=org.opensearch.secure_sm.SecuredForkJoinWorkerThreadFactory',
      ...(existsSync(classArchive(home)) ? [`-XX:SharedArchiveFile=${classArchive(home)}`] : []),
      ...(options.javaOptions ?? []),
      ...[`-Dopensearch.path.home=${home}`, settingsOption(folder, name), '-Dopensearch.distribution.type=zip'],
      ...['-cp', join(home, 'lib/*'), 'org.opensearch.bootstrap.OpenSearch'],
    ],
    {
      cwd: place('.'),
      env: { PATH: process.env.PATH },
      detached: true,
      stdio: ['ignore', log, log],
      ...(!network && owner),
    },
  );
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
}

function settingsOf(folder: string, name: string): object {
  const addresses = addressesIn(folder);
  const own = addresses[name]!;
  return {
    'cluster.name': basename(folder),
    'node.name': name,
    'path.data': dataFolder(folder, name),
    'path.logs': join(folder, name, 'logs'),
    'http.host': own.clients,
    'http.port': own.http,
    'transport.host': own.peers,
    'transport.port': own.transport,
    'discovery.seed_hosts': Object.values(addresses).map(({ peers, transport }) => `${peers}:${transport}`),
    'cluster.initial_cluster_manager_nodes': Object.keys(addresses),
    'node.store.allow_mmap': false,
    // a developer's disk may be fuller than 85 %
    'cluster.routing.allocation.disk.threshold_enabled': false,
  };
}

async function untilGreen(folder: string): Promise<void> {
  const names = namesIn(folder);
  const health = `_cluster/health?wait_for_status=green&wait_for_nodes=${names.length}&timeout=2s`;
  for (const end = Date.now() + startSeconds * 1000; Date.now() < end; await setTimeout(200)) {
    const nodes = nodesIn(folder);
    for (const name of names)
      if (!nodes.some((node) => node.name === name)) throw new Error(`${name} did not start:\n${output(folder, name)}`);
    const isGreen = async ({ url }: ClusterNode): Promise<boolean> =>
      isSecured(folder)
        ? (await hasRules(folder, url)) && (await asAdministrator(folder, `${url}/${health}`)).ok
        : (await fetch(`${url}/${health}`, { signal: AbortSignal.timeout(5000) })).ok;
    if (await Promise.any(nodes.map(isGreen)).catch(() => false)) return;
  }
  throw new Error(`the cluster is not green after ${startSeconds} s; its logs are in ${folder}`);
}

/** The errors that a node has written last. */
function output(folder: string, name: string): string {
  const lines = readFileSync(join(folder, name, 'output.log'), 'utf8')
    .trim()
    .split('\n');
  return lines
    .filter((line) => !/^\s+at |^WARNING/.test(line))
    .slice(-5)
    .join('\n');
}

function ownFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  if (owner) chownSync(path, owner.uid, owner.gid);
}
