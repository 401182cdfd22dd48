import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openApplicationStore, standardDefaults } from '@sosia/server';
import { between, oneOf } from '@sosia/testing/pictures/random';
import type { Random } from '@sosia/testing/pictures/random';

const sosia = fileURLToPath(new URL('../../../cli/bin/sosia.js', import.meta.url));

/** What `sosia app show` tells of the application, as far as it changes here; null for none of this name. */
type State = { readonly results: number; readonly enabled: boolean } | null;

interface Command {
  readonly words: readonly string[];
  readonly after: State;
}

/** Changes applications by `sosia app` beside the server and kills each command: when it has answered, or at any moment. */
export class Operator {
  /** Commands that had answered when they were killed or ended, and those that had not. */
  acknowledged = 0;
  unacknowledged = 0;
  readonly #data: string;
  readonly #random: Random;
  readonly #faults: string[];
  #over = false;
  #made = 0;

  constructor(data: string, random: Random, faults: string[]) {
    this.#data = data;
    this.#random = random;
    this.#faults = faults;
  }

  async work(): Promise<void> {
    const store = openApplicationStore(this.#data);
    const stateOf = (name: string): State => {
      const found = store.list().find((application) => application.name === name);
      return found ? { results: found.defaults.nbResults, enabled: found.enabled } : null;
    };
    let name = 'operated 0';
    let state: State = null;
    while (!this.#over && this.#faults.length === 0) {
      const { words, after } = this.#next(name, state);
      const acknowledged = await this.#run(words);
      const found = stateOf(name);
      const allowed = acknowledged ? [after] : [state, after];
      if (!allowed.some((each) => JSON.stringify(each) === JSON.stringify(found))) {
        const what = `${words.join(' ')}, ${acknowledged ? 'acknowledged' : 'killed'}`;
        this.#faults.push(`sosia ${what}: expected ${JSON.stringify(allowed)}, found ${JSON.stringify(found)}`);
      }
      if (found === null && state !== null) name = `operated ${++this.#made}`;
      state = found;
      await sleep(between(this.#random, 0, 200));
    }
    store.close();
  }

  /** Ends the work, once the server has stopped for good. */
  end(): void {
    this.#over = true;
  }

  #next(name: string, state: State): Command {
    if (!state) {
      const words = ['app', 'create', '--type', 'media-matching', '--name', name];
      return { words, after: { results: standardDefaults.nbResults, enabled: true } };
    }
    const { results, enabled } = state;
    const other = Math.ceil(between(this.#random, 0, 1000));
    return oneOf<Command>(this.#random, [
      { words: ['app', 'set', name, '--nb-results', String(other)], after: { results: other, enabled } },
      { words: ['app', enabled ? 'disable' : 'enable', name], after: { results, enabled: !enabled } },
      { words: ['app', 'delete', name, '--yes'], after: null },
    ]);
  }

  /** @returns whether it was acknowledged: its answer came in full, or it ended well */
  async #run(words: readonly string[]): Promise<boolean> {
    const child = spawn(process.execPath, [sosia, ...words, '--json', '--data', this.#data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.endsWith('\n')) child.kill('SIGKILL');
    });
    if (this.#random() < 0.3) setTimeout(() => child.kill('SIGKILL'), between(this.#random, 150, 600)).unref();
    const [code] = (await once(child, 'close')) as [number | null];
    const acknowledged = said.endsWith('\n') || code === 0;
    if (acknowledged) this.acknowledged++;
    else this.unacknowledged++;
    if (code !== null && code !== 0) this.#faults.push(`sosia ${words.join(' ')} ended with ${code}`);
    return acknowledged;
  }
}
