import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notRun, type GateResult } from './gate.ts';

/** States of the disk a workload and model. */
const STATES = Number(process.env['SOSIA_POWERCUT_STATES'] ?? 250);
const SEED = Number(process.env['SOSIA_SEED'] ?? Date.now() % 1_000_000);

/** What the writer does, and whether it is honest: one that acknowledges too early has to be caught. */
const workloads = { adds: true, mixed: true, concurrent: true, snapshot: true, early: false };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const simulator = here('../../../../shared/tools/powercut.py');

/** What the simulator counts over the states of one model. */
interface Counts {
  readonly states: number;
  readonly lost_states: number;
  readonly corrupt: number;
  readonly ghost: number;
  readonly bad: number;
  readonly err?: string;
}

/**
 * Writes with the real store under strace, rebuilds the states that a power cut at a random moment could leave on the
 * disk (unsynced writes lost, torn or in part, names in order or not), and opens each with the real store: nothing
 * acknowledged may be missing, nothing may be there that was never asked for, and every state must open.
 */
export async function run(): Promise<GateResult> {
  const missing = ['python3', 'strace'].filter((tool) => spawnSync(tool, ['--version']).error);
  if (!existsSync(simulator)) missing.push('../shared/tools/powercut.py');
  if (missing.length > 0) return notRun(...missing);

  const names = Object.keys(workloads) as (keyof typeof workloads)[];
  const outcomes = await Promise.all(names.map(async (name) => ({ name, ...(await simulate(name)) })));
  const total = { states: 0, lost: 0, unopenable: 0, ghosts: 0, altered: 0, caughtOnPurpose: 0 };
  const faults: string[] = [];
  for (const { name, models, said } of outcomes) {
    if (models.length < 2) faults.push(`${name}: the simulator failed: ${said}`);
    for (const counts of models) {
      const wrong = counts.lost_states + counts.corrupt + counts.ghost + counts.bad;
      if (!workloads[name]) {
        total.caughtOnPurpose += wrong;
        continue;
      }
      total.states += counts.states;
      total.lost += counts.lost_states;
      total.unopenable += counts.corrupt;
      total.ghosts += counts.ghost;
      total.altered += counts.bad;
      if (wrong > 0) faults.push(`${name}: ${JSON.stringify(counts)}`);
    }
  }
  if (total.caughtOnPurpose === 0) faults.push('a writer that acknowledges too early was not caught');
  return { passed: faults.length === 0, figures: { seed: SEED, ...total, faults } };
}

async function simulate(workload: keyof typeof workloads): Promise<{ models: Counts[]; said: string }> {
  const scratch = mkdtempSync(join(tmpdir(), 'sosia-powercut-'));
  const data = join(scratch, 'data');
  const task = {
    name: workload,
    data,
    trace: join(scratch, 'trace'),
    run: [process.execPath, here('powercut-writer.js'), workload, data],
    // libsql gives file descriptors back only when garbage is collected
    check: [process.execPath, '--expose-gc', here('powercut-checker.js')],
    states: workloads[workload] ? STATES : 40,
    seed: SEED,
  };
  const child = spawn('python3', [simulator, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  child.stderr.on('data', (text) => (said += text));
  await new Promise((resolve) => child.on('close', resolve));
  rmSync(scratch, { recursive: true, force: true });
  const models = [...said.matchAll(/^ +(?:ordered|posix) (\{.*\})$/gm)].map(([, counts]) => JSON.parse(counts));
  return { models, said };
}
