import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Sosia } from '@sosia/client';
import { dataFolder, names, nodesIn, startCluster, startNodes, stopCluster } from '@sosia/testing/cluster/cluster';
import { ClusterNetwork, type Cut } from '@sosia/testing/cluster/network';
import { createApplicationIn, startService, type Service } from '@sosia/testing/service/service';

/** Data of the node whose disk can be full. */
const SMALL_DISK = { node: names[0]!, megabytes: 700 };
/** Milliseconds for one request of a client, more than the service takes for any. */
const PATIENCE = 16_000;
/** Milliseconds until a cluster has all copies again, at the most. */
const MENDING = 180_000;

const quick = { javaOptions: ['-XX:TieredStopAtLevel=1'], settings: deployed() };

/** The settings that deploy/cluster advises, beside addresses. */
function deployed(): Record<string, string> {
  const file = readFileSync(new URL('../../../deploy/cluster/opensearch.yml', import.meta.url), 'utf8');
  const lines = file.split('\n').filter((line) => /^[a-z]/.test(line) && !line.startsWith('network.host'));
  return Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
}

/** Three data nodes and two services, with the means to disturb each. */
export class Site {
  readonly #folder: string;
  readonly #network: ClusterNetwork | undefined;
  readonly #disk: boolean;
  readonly #services: (Service | undefined)[] = [];
  #urls: readonly string[] = [];
  #key = '';

  private constructor(folder: string, network: ClusterNetwork | undefined, disk: boolean) {
    this.#folder = folder;
    this.#network = network;
    this.#disk = disk;
  }

  /** @param cuts  whether nodes should be cut off by the network, as far as this machine allows */
  static async start(folder: string, cuts: boolean): Promise<Site> {
    const network = cuts && ClusterNetwork.missing() === '' ? ClusterNetwork.create(names) : undefined;
    const site = new Site(folder, network, process.getuid?.() === 0);
    process.on('exit', () => site.#leave());
    try {
      await site.#start();
    } catch (cause) {
      await site.close();
      throw cause;
    }
    return site;
  }

  async #start(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    if (this.#disk) {
      const data = dataFolder(this.#folder, SMALL_DISK.node);
      mkdirSync(data, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK.megabytes}m,mode=777`, 'tmpfs', data]);
      chownSync(join(data, '..'), 65534, 65534);
    }
    this.#urls = (await startCluster(this.#folder, this.#options())).map(({ url }) => url);
    this.#key = createApplicationIn(['--cluster', this.#address(), '--shards', '3'], 'media-matching');
    await Promise.all([this.startService(0), this.startService(1)]);
  }

  get names(): readonly string[] {
    return names;
  }

  get services(): readonly number[] {
    return [0, 1];
  }

  /** The SDK for requests before any trouble: nodes that have just started are slow, and busy ones more so. */
  patientClient(service: number): Sosia {
    return this.#services[service]!.client(this.#key);
  }

  /** The SDK for one request to a service; undefined while it does not run. */
  client(service: number): Sosia | undefined {
    const running = this.#services[service];
    if (!running) return undefined;
    const { modify, query } = running;
    const patience = { retries: 0, firstWait: 0 };
    return new Sosia({ key: this.#key, modify, query, patience, signal: AbortSignal.timeout(PATIENCE) });
  }

  async startService(service: number): Promise<void> {
    const flags = ['--cluster', this.#address(), '--search-workers', '1'];
    const data = join(this.#folder, `service-${service}`);
    this.#services[service] = await startService({ data, flags });
  }

  /** SIGSTOP and SIGCONT. */
  signalService(service: number, signal: NodeJS.Signals): void {
    this.#services[service]?.signal(signal);
  }

  async killService(service: number): Promise<void> {
    const running = this.#services[service];
    this.#services[service] = undefined;
    await running?.kill();
  }

  killNode(name: string): void {
    this.signalNode(name, 'SIGKILL');
  }

  signalNode(name: string, signal: NodeJS.Signals): void {
    const node = nodesIn(this.#folder).find((each) => each.name === name);
    if (node) process.kill(node.pid, signal);
  }

  /** Starts the nodes that have ended. */
  startNodes(): Promise<void> {
    return startNodes(this.#folder, this.#options());
  }

  /** Whether nodes can be cut off by the network. */
  get canCut(): boolean {
    return this.#network !== undefined;
  }

  cut(name: string, from: Cut): void {
    this.#network!.cut(name, from);
  }

  mend(name: string): void {
    this.#network!.mend(name);
  }

  /** Whether a node has a disk that can be filled. */
  get canFill(): boolean {
    return this.#disk;
  }

  fillDisk(): void {
    const data = dataFolder(this.#folder, SMALL_DISK.node);
    const { bavail, bsize } = statfsSync(data);
    try {
      writeFileSync(join(data, 'ballast'), Buffer.alloc(bavail * bsize));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause; // the node took the room first
    }
  }

  /** Makes room again. The node starts anew, since it may have given up its copies. */
  freeDisk(): void {
    rmSync(join(dataFolder(this.#folder, SMALL_DISK.node), 'ballast'), { force: true });
    this.killNode(SMALL_DISK.node);
  }

  /** Waits until all nodes have joined and all copies are there. @returns milliseconds; infinite where that takes too long */
  async untilWhole(): Promise<number> {
    const begin = performance.now();
    const health = `_cluster/health?wait_for_status=green&wait_for_nodes=${names.length}&timeout=1s`;
    while (performance.now() < begin + MENDING) {
      await this.startNodes();
      const ask = (url: string, method = 'GET') =>
        fetch(url, { method, signal: AbortSignal.timeout(3000) }).catch(() => null);
      const answers = await Promise.all(this.#urls.map((url) => ask(`${url}/${health}`)));
      if (answers.every((answer) => answer?.ok)) return performance.now() - begin;
      // copies that were given up after several attempts
      const [url] = this.#urls.filter((_, i) => answers[i]);
      if (url) await ask(`${url}/_cluster/reroute?retry_failed=true&metric=none`, 'POST');
      await pause(200);
    }
    return Infinity;
  }

  /** Takes the further copies of all pictures away. @returns a node that has a shard */
  async keepOneCopy(): Promise<string> {
    const [url] = this.#urls;
    const answer = await fetch(`${url}/sosia-1/_settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ index: { number_of_replicas: 0 } }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const shards = await fetch(`${url}/_cat/shards/sosia-1?format=json`);
    const copies = (await shards.json()) as { node: string; prirep: string }[];
    return copies.find(({ prirep }) => prirep === 'p')!.node;
  }

  /** The end of what the services have written. */
  log(): string {
    return this.#services.map((service) => service?.log().slice(-1000) ?? '').join('\n');
  }

  /** Keeps the logs beside the folder. */
  async close(): Promise<void> {
    for (const name of names) {
      const log = join(this.#folder, name, 'output.log');
      if (existsSync(log)) copyFileSync(log, `${this.#folder}-${name}.log`);
    }
    this.#services.forEach((service, i) => {
      writeFileSync(`${this.#folder}-service-${i}.log`, service?.log() ?? '');
    });
    await Promise.all(this.#services.map(async (service) => service?.close()));
    await stopCluster(this.#folder).catch(() => undefined);
    this.#leave();
  }

  /** Ends what outlives this process. */
  #leave(): void {
    for (const { pid } of nodesIn(this.#folder)) process.kill(pid, 'SIGKILL');
    if (this.#disk) spawnSync('umount', ['--lazy', dataFolder(this.#folder, SMALL_DISK.node)]);
    rmSync(this.#folder, { recursive: true, force: true });
    this.#network?.remove();
  }

  #address(): string {
    return this.#urls.join();
  }

  #options() {
    return { ...quick, ...(this.#network && { network: this.#network }) };
  }
}
