/** C0 and C1 control characters, among them the beginning of escape sequences, and those that turn the direction of text. */
const unprintable = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** With control characters as `\u001b`: names of files, ids and keywords are other people's text, and a terminal obeys it. */
export function visible(text: string): string {
  return text.replace(unprintable, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON for programs, on stdout, one value a line. */
export function print(value: object): void {
  process.stdout.write(`${visible(JSON.stringify(value))}\n`);
}

/** Lines for people, on stdout. */
export function say(text: string): void {
  process.stdout.write(`${lines(text)}\n`);
}

/** Lines for people, on stderr, so that they never mix with what a program reads. */
export function tell(text: string): void {
  process.stderr.write(`${lines(text)}\n`);
}

/** Visible but for the line breaks, so a text with a name that may hold one takes the name by `visible`. */
function lines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** `1 picture`, `3 pictures`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
