import { execFileSync, spawnSync } from 'node:child_process';

/** Where a node answers: to clients, and to the other nodes. */
export interface Hosts {
  readonly clients: string;
  readonly peers: string;
}

/** What a cut separates a node from: the other nodes alone, or Sosia as well. */
export type Cut = 'peers' | 'all';

/** Each node of a cluster in a network namespace of its own, behind two bridges: one to the other nodes and one to this process. */
export class ClusterNetwork {
  readonly #number: number;
  readonly #names: readonly string[];

  private constructor(number: number, names: readonly string[]) {
    this.#number = number;
    this.#names = names;
  }

  /** Why there can be none on this machine; empty where there can. */
  static missing(): string {
    if (process.getuid?.() !== 0) return 'the rights of root';
    for (const tool of ['ip', 'nsenter']) if (spawnSync(tool, ['-V']).error) return `the program ${tool}`;
    return spawnSync('unshare', ['--net', 'true']).status === 0 ? '' : 'the right to make network namespaces';
  }

  /** @param names  of the nodes */
  static create(names: readonly string[]): ClusterNetwork {
    const links = execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' });
    let number = process.pid % 200;
    while (links.includes(`sosia${number}c`)) number = (number + 1) % 200;
    const network = new ClusterNetwork(number, names);
    try {
      network.#build();
    } catch (cause) {
      network.remove();
      throw cause;
    }
    return network;
  }

  /** Peers have addresses of the loopback, with which OpenSearch does not demand the limits of a production host. */
  hosts(name: string): Hosts {
    const last = 11 + this.#names.indexOf(name);
    return { clients: `198.18.${this.#number}.${last}`, peers: `127.19.${this.#number}.${last}` };
  }

  /** Words before a command that runs in the namespace of a node, as another user. */
  enter(name: string, { uid, gid }: { uid: number; gid: number }): string[] {
    const net = `/run/netns/${this.#namespace(name)}`;
    return ['nsenter', `--net=${net}`, `--setgid=${gid}`, `--setuid=${uid}`, '--'];
  }

  /** Packets of the node get lost from now on, in both directions and without a notice. */
  cut(name: string, from: Cut): void {
    run(this.#ports(name, from).map((port) => `link set ${port} nomaster`));
  }

  /** Ends every cut of the node. */
  mend(name: string): void {
    run(this.#ports(name, 'all').map((port) => `link set ${port} master ${port.replace(/-\d+$/, '')}`));
  }

  remove(): void {
    for (const name of this.#names) spawnSync('ip', ['netns', 'del', this.#namespace(name)]);
    for (const bridge of this.#bridges()) spawnSync('ip', ['link', 'del', bridge]);
  }

  #build(): void {
    const [clients, peers] = this.#bridges();
    run([...this.#bridges().map((bridge) => `link add ${bridge} type bridge`), `link set ${peers} up`]);
    run([`link set ${clients} up`, `addr add 198.18.${this.#number}.1/24 dev ${clients}`]);
    for (const name of this.#names) {
      const namespace = this.#namespace(name);
      execFileSync('ip', ['netns', 'add', namespace]);
      const [client, peer] = this.#ports(name, 'all') as [string, string];
      const hosts = this.hosts(name);
      const added = (port: string, inside: string) => [
        `link add ${port} type veth peer name ${inside} netns ${namespace}`,
        `link set ${port} up`,
      ];
      run([...added(client, 'clients'), ...added(peer, 'peers')]);
      // addresses of the loopback are ordinary ones on the link to the peers
      run(['link set lo up', 'addr del 127.0.0.1/8 dev lo', 'addr add 127.0.0.1/32 dev lo'], namespace);
      const setting = 'echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet';
      execFileSync('ip', ['netns', 'exec', namespace, 'sh', '-c', setting]);
      run(
        [
          ...['clients', 'peers'].map((link) => `link set ${link} up`),
          `addr add ${hosts.clients}/24 scope global dev clients`,
          `addr add ${hosts.peers}/24 scope global dev peers`,
        ],
        namespace,
      );
      this.mend(name);
    }
  }

  #bridges(): [clients: string, peers: string] {
    return [`sosia${this.#number}c`, `sosia${this.#number}p`];
  }

  #ports(name: string, from: Cut): string[] {
    const [clients, peers] = this.#bridges().map((bridge) => `${bridge}-${this.#names.indexOf(name)}`) as [
      string,
      string,
    ];
    return from === 'all' ? [clients, peers] : [peers];
  }

  #namespace(name: string): string {
    return `sosia${this.#number}-${name}`;
  }
}

function run(lines: readonly string[], namespace?: string): void {
  const words = [...(namespace ? ['-n', namespace] : []), '-batch', '-'];
  execFileSync('ip', words, { input: lines.join('\n'), stdio: ['pipe', 'ignore', 'inherit'] });
}
