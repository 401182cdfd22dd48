/** A numbered step of CONTRIBUTING.md. What the test uses of it is noted, so that the rest can be named. */
export class Step {
  readonly title: string;
  /** Its inline code: files, commands and names. */
  readonly #code: ReadonlySet<string>;
  readonly #used = new Set<string>();

  constructor(title: string, text: string) {
    this.title = title;
    this.#code = new Set(Array.from(text.matchAll(/`([^`]+)`/g), ([, code]) => code!));
  }

  /** A file or a command as the step names it. Throws where it does not. */
  named(code: string): string {
    if (!this.#code.has(code)) throw new Error(`the step "${this.title}" does not name ${code}`);
    this.#used.add(code);
    return code;
  }

  /** Files and commands that nothing was done with. */
  get unused(): string[] {
    const isTried = (code: string): boolean => /[/.]\w|^npm /.test(code);
    return [...this.#code].filter((code) => isTried(code) && !this.#used.has(code));
  }
}

/** The steps under a heading that begins with these words. */
export function stepsUnder(heading: string, page: string): Step[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(heading)) ?? '';
  const items = section.matchAll(/^\d+\. \*\*(.+?)\.\*\* ([^]*?)(?=^\d+\. |^$)/gm);
  return Array.from(items, ([, title, text]) => new Step(title!, text!));
}
