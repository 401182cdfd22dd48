import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What one program answered. */
export interface Answers {
  readonly name: string;
  readonly bytes: number;
  readonly addMs: number;
  readonly searchMs: number;
  /** The best reference of each query, and its score: the higher the surer. */
  readonly best: readonly (readonly [reference: number, score: number])[];
  /** Whether the program says itself what is a match, by a score above 0. */
  readonly decides?: boolean;
}

const packages = ['opencv-python-headless==5.0.0.93', 'ImageHash==4.3.2', 'pdqhash==0.2.8'];
const environment = fileURLToPath(new URL('../../out/peers/', import.meta.url));
const program = fileURLToPath(new URL('../../src/peers/peers.py', import.meta.url));

/** Why the peers cannot run here. */
export function missingPython(): string | null {
  const works = spawnSync('python3', ['-c', 'import venv, sys; sys.exit(sys.version_info < (3, 9))']).status === 0;
  return works ? null : 'there is no Python 3.9 with venv';
}

/** The answers of the peers, which are installed from PyPI into a virtual environment of their own. */
export async function installedPeers(references: readonly string[], queries: readonly string[]): Promise<Answers[]> {
  const python = `${environment}bin/python`;
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...packages], { stdio: 'inherit' });
  const lines = execFileSync(python, [program], {
    input: JSON.stringify({ references, queries }),
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answers);
}
