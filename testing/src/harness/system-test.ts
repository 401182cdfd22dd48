import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineInstalled, securedEngineInstalled } from '../cluster/engine.ts';
import { hasFolderOfUser } from './user-folder.ts';
import { startService, type Service, type ServiceOptions } from '../service/service.ts';

/** A promise of the service whose trial takes longer than a test: the default export of its module. */
export interface SystemTest<Size extends string = string> {
  /** The name of its file, or of its folder and the file inside. */
  readonly name: string;
  /** One sentence, printed before the run. */
  readonly promise: string;
  /** How much it does, by the environment variable that says otherwise; `whole` is for a nightly run. */
  readonly sizes?: Readonly<Record<Size, { readonly usual: number; readonly whole: number }>>;
  readonly needs?: readonly (keyof typeof tools)[];
  /** @returns figures, printed as one line of JSON */
  run(run: Run<Size>): Promise<Figures>;
}

export type Figures = Readonly<Record<string, unknown>>;

/** What a system test is given, and where it reports what it finds. */
export interface Run<Size extends string = string> {
  readonly seed: string;
  readonly size: Readonly<Record<Size, number>>;
  /** An empty folder, removed after the test unless it failed. */
  readonly folder: string;
  /** What was found to break the promise; the test passes with none. */
  readonly faults: string[];
  /** Notes a fault unless the condition holds. */
  readonly expect: (holds: boolean, fault: string) => void;
  /** Starts a service that ends with the test at the latest. Its data is in `folder` unless the options say otherwise. */
  readonly start: (options?: ServiceOptions) => Promise<Service>;
}

export interface Outcome {
  readonly passed: boolean;
  readonly figures: Figures;
  /** What this machine lacks, so that nothing was tried. */
  readonly missing: readonly string[];
}

/** The id of a user without rights; there need not be an account. */
export const ORDINARY_USER = 12_345;

const works = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

const tools = {
  strace: () => works('strace', '--version'),
  'the right to mount': () => works('unshare', '--mount', 'true'),
  OpenSearch: engineInstalled,
  /** By `npm run cluster -- install --security`. */
  'OpenSearch with security': securedEngineInstalled,
  openssl: () => works('openssl', 'version'),
  'debootstrap and ip': () => works('debootstrap', '--version') && works('ip', '-V'),
  'a folder that an ordinary user may write': () => hasFolderOfUser(ORDINARY_USER),
  Linux: () => process.platform === 'linux',
  'Linux on x64 or arm64': () => process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch),
};

export function systemTest<Size extends string>(test: SystemTest<Size>): SystemTest<Size> {
  return test;
}

export async function runSystemTest(test: SystemTest, { whole }: { whole: boolean }): Promise<Outcome> {
  const missing = (test.needs ?? []).filter((tool) => !tools[tool]());
  if (missing.length > 0) return { passed: false, figures: {}, missing };

  const seed = process.env['SOSIA_SEED'] ?? String(Date.now());
  const size: Record<string, number> = {};
  for (const [variable, { usual, whole: most }] of Object.entries(test.sizes ?? {}))
    size[variable] = Number(process.env[variable] ?? (whole ? most : usual));
  const folder = mkdtempSync(join(tmpdir(), `sosia-${test.name}-`));
  const faults: string[] = [];
  const services: Service[] = [];
  let figures: Figures = {};
  try {
    figures = await test.run({
      seed,
      size,
      folder,
      faults,
      expect(holds, fault) {
        if (!holds) faults.push(fault);
      },
      async start(options) {
        const service = await startService({ data: join(folder, 'data'), ...options });
        services.push(service);
        return service;
      },
    });
  } catch (cause) {
    const [text, place] =
      cause instanceof Error ? [cause.message, cause.stack?.split('\n').at(-1)] : [String(cause), ''];
    faults.push(`${text} ${place?.trim() ?? ''}`);
  }
  await Promise.all(services.map((service) => service.close()));
  const passed = faults.length === 0;
  if (passed) rmSync(folder, { recursive: true });
  else for (const service of services) console.error(service.log().slice(-2000));
  return { passed, figures: { seed, ...figures, faults: faults.slice(0, 20) }, missing };
}
