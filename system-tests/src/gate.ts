/** The outcome of a gate. `figures` is printed as one line of JSON, and says why where the gate did not pass. */
export interface GateResult {
  readonly passed: boolean;
  readonly figures: Readonly<Record<string, unknown>>;
  /** What this machine lacks, so that nothing was tried; such a gate has not passed. */
  readonly missing?: readonly string[];
}

/** The result of a gate that cannot run on this machine. */
export function notRun(...missing: readonly string[]): GateResult {
  return { passed: false, figures: {}, missing };
}

/** Each gate is a module of this folder exporting `run`; scripts/gates.mjs lists them. */
export type Gate = () => Promise<GateResult>;

/**
 * How much a gate does: what the environment says (`SOSIA_LIVES=50`), else `whole` for a nightly run (`npm run system-test --
 * --whole`), else what fits into the time somebody waits.
 */
export function sizeOf(variable: string, { usual, whole }: { usual: number; whole: number }): number {
  return Number(process.env[variable] ?? (process.env['SOSIA_WHOLE'] ? whole : usual));
}
