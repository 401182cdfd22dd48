import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeVersion } from '@sosia/testing/packages/node-versions';

/** The user `node` of Node's images. */
export const USER = 1000;

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Environment {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * A new root file system with what an image of Node has: Debian by debootstrap, kept in ~/.cache/sosia, and Node with npm.
 * @param image  such as `node:22-bookworm-slim`
 * @returns false where a part is out of reach
 */
export function makeRoot(folder: string, image: string): boolean {
  const [, tag, suite] = /^node:(\d+)-(\w+)-slim$/.exec(image) ?? [];
  const [node, debian] = [nodeVersion(tag!), debianOf(suite!)];
  if (!node || !debian) return false;
  execFileSync('cp', ['-a', debian, folder]);
  chmodSync(folder, 0o755); // as Debian is made, other users cannot enter
  cpSync(join(node.folder, 'node'), join(folder, 'usr/local/bin/node'), { dereference: true });
  const npm = join(String(execFileSync('npm', ['root', '--global'])).trim(), 'npm');
  cpSync(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
  appendFileSync(join(folder, 'etc/passwd'), `node:x:${USER}:${USER}::/home/node:/bin/sh\n`);
  appendFileSync(join(folder, 'etc/group'), `node:x:${USER}:\n`);
  return true;
}

function debianOf(suite: string): string | undefined {
  const kept = join(homedir(), '.cache/sosia', `debian-${suite}`);
  if (existsSync(kept)) return kept;
  mkdirSync(dirname(kept), { recursive: true });
  const made = mkdtempSync(`${kept}-`);
  try {
    execFileSync('debootstrap', ['--variant=minbase', suite, made], { stdio: 'ignore' });
    renameSync(made, kept);
    return kept;
  } catch {
    rmSync(made, { recursive: true });
    return undefined;
  }
}

/** Runs a step of the build as root, with the access to packages that npm has on this machine. */
export function runStep(root: string, command: string, { folder, variables }: Environment): void {
  const npm = (setting: string): string => String(execFileSync('npm', ['config', 'get', setting])).trim();
  const shared: [string, string][] = [
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    ['/etc/hosts', '/etc/hosts'],
    ['/etc/ssl', '/etc/ssl'],
    [npm('userconfig'), '/root/.npmrc'],
    [npm('globalconfig'), '/usr/local/etc/npmrc'],
    [npm('cache'), '/root/.npm'],
  ];
  const mounts = shared.filter(([own]) => existsSync(own)).map(([own, inside]) => sharing(own, join(root, inside)));
  const network = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_|NODE_EXTRA_|SSL_)|_proxy$/i.test(name)),
  );
  const env = { ...network, npm_config_prefer_offline: 'true', HOME: '/root', PATH: path, ...variables };
  const program = ['chroot', root, 'env', `--chdir=${folder}`, 'sh', '-ec', command];
  const script = [`set -e`, ...devices(root), ...mounts, 'exec "$@"'].join('\n');
  execFileSync('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...program], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Starts the command of an image as a container does: process 1, the user without rights and capabilities, a read-only root, a
 * network of its own, and a volume.
 */
export function startContainer(
  root: string,
  command: readonly string[],
  { folder, variables }: Environment,
  volume: { readonly own: string; readonly inside: string },
): ChildProcess {
  const script = [
    'set -e',
    `mount --bind '${root}' '${root}'`,
    `mount --bind '${volume.own}' '${root}${volume.inside}'`,
    `mount -o remount,bind,ro '${root}'`,
    ...devices(root),
    `mount -t tmpfs tmpfs '${root}/tmp'`,
    'ip link set lo up',
    'exec "$@"',
  ].join('\n');
  const program = ['chroot', root, ...asUser, `--chdir=${folder}`, ...command];
  const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child'];
  return spawn('unshare', [...namespaces, 'sh', '-c', script, 'sh', ...program], {
    env: { HOME: '/home/node', PATH: path, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a command in a running container, as `podman exec` does. @param first  its process 1, as this machine numbers it */
export function enter(first: number, command: readonly string[], { folder, variables }: Environment): string {
  const program = ['--target', String(first), '--all', '--root', '--wd', ...asUser, `--chdir=${folder}`, ...command];
  return execFileSync('nsenter', program, {
    env: { HOME: '/home/node', PATH: path, ...variables },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const asUser = [
  ...['setpriv', '--reuid', String(USER), '--regid', String(USER), '--clear-groups'],
  ...['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', 'env'],
];

function devices(root: string): string[] {
  return [`mount --rbind /dev '${root}/dev'`, `mount -t proc proc '${root}/proc'`];
}

/** Mounts a file or folder of this machine inside. */
function sharing(own: string, inside: string): string {
  const place = statSync(own).isDirectory()
    ? `mkdir -p '${inside}'`
    : `mkdir -p '${dirname(inside)}'; touch '${inside}'`;
  return `${place}; mount --bind '${own}' '${inside}'`;
}
