/** One instruction, such as `RUN` and its command. */
export interface Step {
  readonly instruction: string;
  readonly words: string;
}

export interface Stage {
  /** The image that the stage begins with. */
  readonly from: string;
  readonly name: string | undefined;
  readonly steps: readonly Step[];
}

/** The stages of a Containerfile. Lines are not continued. */
export function stagesOf(text: string): Stage[] {
  const stages: (Stage & { steps: Step[] })[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, instruction = '', words = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [from, , name] = words.split(' ');
      stages.push({ from: from!, name, steps: [] });
      continue;
    }
    if (!instruction || !stages.at(-1)) throw new Error(`expected an instruction of a stage, got ${line}`);
    stages.at(-1)!.steps.push({ instruction, words });
  }
  return stages;
}
