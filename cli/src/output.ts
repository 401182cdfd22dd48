/** JSON for programs, on stdout, one value a line. */
export function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** A line for people, on stderr, so that it never mixes with what a program reads. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** `1 picture`, `3 pictures`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
