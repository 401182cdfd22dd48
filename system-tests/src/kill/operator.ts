import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openApplicationStore, standardDefaults } from '@sosia/server';
import { Ledger } from '@sosia/testing/ledger/ledger';
import { between, oneOf, type Random } from '@sosia/testing/pictures/random';
import { sosia } from '@sosia/testing/service/service';

/** What of an application changes here. */
interface State {
  readonly results: number;
  readonly enabled: boolean;
}

/** Changes applications by `sosia app` beside the service, and kills each command: at its answer, or at a random moment. */
export class Operator {
  readonly #data: string;
  readonly #random: Random;
  readonly #faults: string[];
  readonly #ledger = new Ledger();
  #over = false;

  constructor(data: string, random: Random, faults: string[]) {
    this.#data = data;
    this.#random = random;
    this.#faults = faults;
  }

  /** Commands that had answered when they were killed or ended. */
  get acknowledged(): number {
    return this.#ledger.acknowledged;
  }

  get unacknowledged(): number {
    return this.#ledger.unanswered;
  }

  async work(): Promise<void> {
    const store = openApplicationStore(this.#data);
    for (let made = 0; !this.#over && this.#faults.length === 0;) {
      const name = `operated ${made}`;
      const content = this.#ledger.contentOf(name) ?? null;
      const { words, after } = this.#next(name, content === null ? null : (JSON.parse(content) as State));
      this.#ledger.try(name, after && JSON.stringify(after));
      if (await this.#run(words)) this.#ledger.acknowledge(name);

      const found = new Map<string, string>();
      for (const { name, enabled, defaults } of store.list())
        if (name.startsWith('operated')) found.set(name, JSON.stringify({ results: defaults.nbResults, enabled }));
      for (const { text } of this.#ledger.compare(found)) this.#faults.push(`sosia ${words.join(' ')}: ${text}`);
      this.#ledger.settle(found);
      if (content !== null && !found.has(name)) made++; // it was deleted
      await pause(between(this.#random, 0, 200));
    }
    store.close();
  }

  /** Ends the work, once the service is killed for the last time. */
  end(): void {
    this.#over = true;
  }

  #next(name: string, state: State | null): { words: string[]; after: State | null } {
    if (!state) {
      const words = ['app', 'create', '--type', 'media-matching', '--name', name];
      return { words, after: { results: standardDefaults.nbResults, enabled: true } };
    }
    const { results, enabled } = state;
    const other = Math.ceil(between(this.#random, 0, 1000));
    return oneOf(this.#random, [
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
    if (code !== null && code !== 0) this.#faults.push(`sosia ${words.join(' ')} ended with ${code}`);
    return said.endsWith('\n') || code === 0;
  }
}
