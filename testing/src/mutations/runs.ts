import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';

/** What a command did. */
export interface Run {
  /** null for one that did not end in time. */
  readonly code: number | null;
  readonly said: string;
}

export interface RunOptions {
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The command is ended, with code 1, as soon as it has said this. */
  readonly until?: RegExp;
}

/** Runs commands in a tree, one after the other, each in a process group of its own. */
export class Runs {
  readonly #tree: string;

  constructor(tree: string) {
    this.#tree = tree;
  }

  /** Ends what runs now, with the processes of its group. */
  end = (): void => {};

  async run(command: string, args: readonly string[], { limitMs, env = {}, until }: RunOptions): Promise<Run> {
    // inside a test the runner would take the inner tests for its own
    const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
    const child = spawn(command, args, {
      cwd: this.#tree,
      env: { ...outer, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = (this.end = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // all have ended
      }
    });
    child.once('exit', end);
    let said = '';
    let found = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (until?.test(said.slice(-text.length - 200))) {
          found = true;
          end();
        }
      });
    }
    let late = false;
    const timer = setTimeout(() => ((late = true), end()), limitMs);
    await once(child, 'close');
    clearTimeout(timer);
    const ended = { found, late };
    return { code: ended.late ? null : ended.found ? 1 : (child.exitCode ?? 1), said };
  }
}

/** Kills processes whose environment or command has this path: servers, and clusters, which outlive the test that started them. */
export function killAllOf(folder: string): void {
  for (const pid of processes()) {
    try {
      const known = readFileSync(`/proc/${pid}/environ`, 'latin1') + readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      if (Number(pid) !== process.pid && known.includes(folder)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // it has ended, or is somebody else's
    }
  }
}

/** Empty on systems without /proc. */
function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
