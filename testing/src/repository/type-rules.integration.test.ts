import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** A comment at the end of a line names the rule that it breaks. */
const code = `
declare const work: () => Promise<number>;
declare const later: (what: () => void) => void;
declare const either: { (what: () => Promise<void>, how: 1): void; (what: () => void, how: 2): void };
declare const text: string, maybe: string | undefined, thing: { a: number }, list: number[], answer: any, open: unknown;
declare const chain: { then(): void; next(): void };
declare function takes(text: string): void;
class Counter { count = 0; next() { return this.count++; } }
/** @deprecated use takes */
declare function tookOnce(text: string): void;
declare function takesAll(value: unknown): void;
export async function breaks(yes: boolean) {
  work(); // floating-promise
  yes ? work() : 0; // floating-promise
  yes && work(); // floating-promise
  list.map(work); // floating-promise
  work().then(String); // floating-promise
  work().finally(() => 0); // floating-promise
  void work();
  work().catch(() => 0);
  work().then(String, String);
  chain;
  await text; // await-of-no-promise
  await thing; // await-of-no-promise
  await work();
  await chain;
  await (open as any);
  if (work()) return 1; // promise-as-condition
  while (!work()); // promise-as-condition
  later(async () => { await work(); }); // async-where-nobody-waits
  either(async () => { await work(); }, 1);
  try {
    if (yes) return work(); // return-without-await
    if (maybe) return await work();
  } catch {
    return work();
  }
  if (yes) throw thing; // throws-no-error
  if (yes) throw new TypeError(text);
  if (yes) throw open;
  takes(answer); // any-is-used
  takesAll(answer);
  answer.name(); // any-is-used
  answer(); // any-is-used
  const named: string = answer; // any-is-used
  const kept: unknown = answer;
  takes(\`\${thing}\`); // text-of-an-object
  takes(\`\${list} \${maybe} \${new URL(text)} \${1}\`);
  takes(text ?? 'a'); // never-missing
  takes(maybe ?? 'a');
  takes(String(thing?.a)); // never-missing
  takes(String(maybe?.length));
  if (thing) return 2; // always-true
  if (maybe) return 3;
  // types-disable always-true -- what the declaration says is not so
  if (thing) return 4;
  later(new Counter().next); // method-without-its-object
  later(() => new Counter().next());
  tookOnce(text); // deprecated
  return [named, kept, answer as string];
}
export function returned(): string {
  return answer; // any-is-used
}
`;

const folder = mkdtempSync(join(tmpdir(), 'sosia-type-rules-'));
after(() => rmSync(folder, { recursive: true }));

function faultsOf(name: string): string[] {
  const options = { target: 'es2023', module: 'nodenext', types: ['node'], strict: true, noEmit: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [name] }));
  writeFileSync(join(folder, name), code);
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(repository, 'scripts/lint/types.mjs'), '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const faults = [...stdout.matchAll(/:(\d+) (\S+) \(/g)].map(([, line, rule]) => `${line} ${rule}`);
  assert.equal(status, faults.length > 0 ? 1 : 0, stderr);
  return [...new Set(faults)].sort();
}

/** @param left  rules that are not held */
const expected = (...left: string[]) =>
  code
    .split('\n')
    .flatMap(
      (line, i) =>
        / \/\/ ([a-z-]+)$/
          .exec(line)
          ?.slice(1)
          .map((rule) => [i + 1, rule] as const) ?? [],
    )
    .filter(([, rule]) => !left.includes(rule))
    .map((fault) => fault.join(' '))
    .sort();

symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));

test('each rule about types names the lines that break it, and no others', () => {
  assert.deepEqual(faultsOf('shipped.ts'), expected());
});

test('tests may use what they know nothing of', () => {
  assert.deepEqual(
    faultsOf('some.test.ts'),
    expected('any-is-used', 'async-where-nobody-waits', 'method-without-its-object', 'text-of-an-object'),
  );
});
