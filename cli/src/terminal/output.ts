/**
 * C0 and C1 control characters, including the beginning of escape sequences, and those that change the direction of
 * text.
 */
const unprintable = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * With control characters as `\u001b`: names of files, ids and keywords are foreign text, which a terminal would
 * interpret.
 */
export function visible(text: string): string {
  return text.replace(unprintable, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON for programs, on stdout, one value a line. */
export function print(value: object): void {
  process.stdout.write(`${visible(JSON.stringify(value))}\n`);
}

/** Lines for people, on stdout. */
export function printLine(text: string): void {
  process.stdout.write(`${lines(text)}\n`);
}

/** Lines for people, on stderr, separate from the output for programs. */
export function logLine(text: string): void {
  process.stderr.write(`${lines(text)}\n`);
}

/** What was done: JSON on stdout for programs, or a line for people. */
export function printOutcome(json: boolean | undefined, value: object, line: string): void {
  if (json) print(value);
  else logLine(line);
}

/** Empties the line of the cursor on a terminal, such as that of a progress bar. */
export function eraseLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

/** Escaped except for line breaks; so a text with a name that may contain one needs `visible` for the name. */
function lines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** `1 picture`, `3 pictures`, `3 searches`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : /[cs]h$/.test(what) ? 'es' : 's'}`;
}
