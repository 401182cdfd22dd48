/** The measures that confine a child process, each with its effect. Several overlap on purpose. */
export const measures = {
  limits: 'Limits of memory, processor time, open files (512) and file size (0).',
  user: 'The child does not run as root.',
  permissions: "Node's permission model: no writing, no processes, no threads from JavaScript.",
  landlock: 'Landlock: no file can be opened; no TCP since Linux 6.7, no signal to another process since 6.12.',
  system_calls: 'A seccomp filter: only what decoding needs is left of the system calls.',
  parent: 'The kernel ends the child when the server dies.',
} as const;

export type Measure = keyof typeof measures;

/** Which measures hold in a child. */
export type Confinement = Readonly<Record<Measure, boolean>>;

export const measureNames = Object.keys(measures) as Measure[];

/** A report of a child that has just started, before any foreign bytes. Throws for anything else. */
export function checkedConfinement(report: unknown): Confinement {
  const holds = Object(report) as Confinement;
  if (!measureNames.every((name) => typeof holds[name] === 'boolean'))
    throw new Error('expected a report of the confinement');
  return holds;
}

export function missingFrom(confinement: Confinement): Measure[] {
  return measureNames.filter((name) => !confinement[name]);
}
