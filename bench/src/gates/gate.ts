/** The outcome of a gate. `figures` is printed as one line of JSON, and says why where the gate did not pass. */
export interface GateResult {
  readonly passed: boolean;
  readonly figures: Readonly<Record<string, unknown>>;
}

/** Each gate is a module of this folder exporting `run`; scripts/gates.mjs lists them. */
export type Gate = () => Promise<GateResult>;
