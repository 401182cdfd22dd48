import { cosines } from '../../geometry/angle.ts';
import { Workspace } from '../../kernels/workspace.ts';
import { scaleOf } from './tentative.ts';

/** Where kernels of verification work. */
export interface VerifyMemory {
  readonly workspace: Workspace;
  /** 256 float64: cosines of i/256 of a circle, then 256: the scale of level i - 16, as far as there are any. */
  readonly tables: number;
}

const LEVEL_COUNT = 48;

let opened: VerifyMemory | undefined;

/** One workspace serves all verification of a thread. */
export function verifyMemory(): VerifyMemory {
  if (opened) return opened;
  const workspace = new Workspace();
  const tables = new Float64Array(512);
  tables.set(cosines);
  for (let i = 0; i < LEVEL_COUNT; i++) tables[256 + i] = scaleOf(i - 16);
  return (opened = { workspace, tables: workspace.put(tables) });
}
