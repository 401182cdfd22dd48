import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Readable } from 'node:stream';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Whether commands can run on ports and in system folders of their own. */
export const canIsolate =
  spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/**
 * One bash that runs the commands of pages one after another, so that `export` lasts. Where the system allows it, the shell has a loopback
 * of its own, and empty folders in place of /var/lib and /mnt: commands run as printed. Elsewhere `elsewhere` changes the lines.
 */
export class Shell {
  readonly #bash: ChildProcess;
  readonly #codes: Interface;
  readonly #folder: string;
  readonly #elsewhere: (line: string) => string;
  readonly #dead: Promise<never>;
  #count = 0;

  /** @param folder  holds the outputs */
  constructor(folder: string, environment: NodeJS.ProcessEnv, elsewhere: (line: string) => string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    const isolated = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '--norc'];
    const [command, ...words] = canIsolate ? isolated : ['bash', '--norc'];
    this.#bash = spawn(command!, words, { env: environment, stdio: ['pipe', 'inherit', 'inherit', 'pipe'] });
    this.#dead = once(this.#bash, 'exit').then(() => Promise.reject(new Error('the shell ended')));
    this.#dead.catch(() => {});
    this.#codes = createInterface(this.#bash.stdio[3] as Readable);
    this.#elsewhere = canIsolate ? (line) => line : elsewhere;
    this.#send('set -m; shopt -s expand_aliases');
    if (canIsolate) this.#send('for each in /var/lib /mnt; do mount -t tmpfs tmpfs $each; done');
  }

  /** From here on no command reaches the network, and the default ports are free. */
  leaveNetwork(): void {
    if (canIsolate) this.#send('exec unshare --net bash --norc');
    if (canIsolate) this.#send('ip link set lo up; set -m');
  }

  /** Runs a line to its end. */
  async run(line: string): Promise<Ended> {
    const [out, err] = this.#outputs();
    const ended = once(this.#codes, 'line') as Promise<[string]>;
    this.#send(`{ ${this.#elsewhere(line)}\n} >${out} 2>${err} </dev/null; echo $? >&3`);
    const [code] = await Promise.race([ended, this.#dead]);
    return { code: Number(code), out: readFileSync(out, 'utf8'), err: readFileSync(err, 'utf8') };
  }

  /** Runs a line in the background, and waits until its outputs say that it is ready. */
  async start(line: string, ready: RegExp): Promise<Background> {
    const [out, err] = this.#outputs();
    const [pid] = await this.#ask(`{ ${this.#elsewhere(line)}\n} >${out} 2>${err} </dev/null & echo $! >&3`);
    const text = (): string =>
      [out, err].map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('\n');
    for (let left = 1200; !ready.test(text()); left--) {
      const alive = (await this.run(`kill -0 ${pid}`)).code === 0;
      if (!alive || left === 0) throw new Error(`${line} is not ready: ${text()}`);
      await pause(100);
    }
    return {
      text,
      stop: async () => (await this.run(`kill -INT -- -${pid}; wait ${pid}`)).code,
    };
  }

  /** Ends what a test that failed has left running. */
  async stopAll(): Promise<void> {
    await this.run('for pid in $(jobs -p); do kill -KILL -- -$pid; wait $pid; done; true');
  }

  async close(): Promise<void> {
    const ended = once(this.#bash, 'exit');
    this.#send('kill -KILL $(jobs -p) 2>/dev/null; exit');
    this.#bash.stdin!.end();
    await ended;
    this.#codes.close();
  }

  async #ask(line: string): Promise<[string]> {
    const answer = once(this.#codes, 'line') as Promise<[string]>;
    this.#send(line);
    return await Promise.race([answer, this.#dead]);
  }

  #outputs(): [string, string] {
    this.#count++;
    return [join(this.#folder, `${this.#count}.out`), join(this.#folder, `${this.#count}.err`)];
  }

  #send(line: string): void {
    this.#bash.stdin!.write(`${line}\n`);
  }
}

export interface Background {
  /** What it has printed so far. */
  text(): string;
  /** Sends SIGINT to it and its children, as Ctrl+C does. @returns its exit code */
  stop(): Promise<number>;
}
