import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kindOf, type Finding } from './target.ts';

/** A folder for each target. An input stays here when its fault is mended, and is executed in every test run. */
const folder = fileURLToPath(new URL('../../../fixtures/fuzz/', import.meta.url));

/** The stored inputs of a target. */
export function findingsOf(target: string): string[] {
  const own = join(folder, target);
  if (!existsSync(own)) return [];
  return readdirSync(own)
    .filter((name) => name.endsWith('.bin'))
    .sort()
    .map((name) => join(own, name));
}

/** The same fault is stored once for the same input. @returns the path */
export function storeFinding(target: string, { input, fault }: Finding): string {
  const words = kindOf(fault)
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.slice(0, 6);
  const mark = createHash('sha256').update(input).digest('hex').slice(0, 8);
  const own = join(folder, target);
  mkdirSync(own, { recursive: true });
  const path = join(own, `${[...(words ?? []), mark].join('-')}.bin`);
  writeFileSync(path, input);
  return path;
}
