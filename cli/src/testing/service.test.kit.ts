import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../../bin/sosia.js', import.meta.url));
const installed = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));

export interface Serving {
  readonly child: ChildProcess;
  /** All of stdout and stderr, once the process has ended. */
  readonly out: Promise<string>;
  readonly err: Promise<string>;
  /** Resolves with the match once stderr has it. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  readonly modify: number;
  readonly query: number;
  /** The line that reported the ports. */
  readonly line: { readonly administrator_key?: string };
}

/** The real `sosia serve` and `sosia demo` on free ports, in a scratch folder that is also their working folder. */
export class Services {
  readonly home = mkdtempSync(join(tmpdir(), 'sosia-serve-'));
  /** With `sosia` on the path, as after an installation. */
  readonly env = { PATH: `${installed}${delimiter}${process.env['PATH']}`, SOSIA_STOP_GRACE: '0' };
  readonly #children: ChildProcess[] = [];

  /** @param folder  the data folder within the scratch folder */
  spawn(name: 'serve' | 'demo', folder: string, ...flags: string[]): ChildProcess {
    const words = [name, '--data', join(this.home, folder), '--modify-port', '0', '--query-port', '0', ...flags];
    const child = spawn(process.execPath, [bin, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.home,
      env: this.env,
    });
    this.#children.push(child);
    return child;
  }

  /** Resolves with the first line of stdout. */
  async start(name: 'serve' | 'demo', folder: string, ...flags: string[]): Promise<Serving> {
    const child = this.spawn(name, folder, ...flags);
    const [out, err] = [text(child.stdout!), text(child.stderr!)];
    let said = '';
    child.stderr!.on('data', (bytes: Buffer) => (said += String(bytes)));
    const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
      const signal = AbortSignal.timeout(60_000);
      for (let found; ; await once(child.stderr!, 'data', { signal })) if ((found = pattern.exec(said))) return found;
    };
    const [first] = (await Promise.race([
      once(child.stdout!, 'data'),
      err.then((said) => assert.fail(`ended before it was ready: ${said}`)),
    ])) as [Buffer];
    const { ready, modify, query, ...line } = JSON.parse(String(first));
    assert.equal(ready, true);
    return { child, out, err, says, modify, query, line };
  }

  close(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.home, { recursive: true });
  }
}

/** Resolves with the exit code. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}
