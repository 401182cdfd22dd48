import { Command } from 'commander';

/** The text of `--help` below the options, also in docs/cli.md. */
export interface Help {
  /** Command lines, without the prompt. */
  readonly examples: readonly string[];
  /** Paragraphs. */
  readonly notes?: readonly string[];
}

export const exitCodes =
  'Ends with 0 when all is done, 1 when something failed, 2 when the command line cannot be used.';

const helps = new WeakMap<Command, Help>();

export function withHelp(command: Command, help: Help): Command {
  helps.set(command, help);
  return command.addHelpText('after', () => {
    const examples = help.examples.map((each) => `  $ ${each}`).join('\n');
    const columns = process.stdout.isTTY ? process.stdout.columns : 80;
    const layout = command.createHelp();
    const notes = [...(help.notes ?? []), exitCodes].map((each) => layout.boxWrap(each, columns));
    return `\nExamples:\n${examples}\n\n${notes.join('\n\n')}`;
  });
}

/** A command that only leads to others. */
export function groupOf(name: string, description: string, parts: readonly Command[], help: Help): Command {
  const command = new Command(name).description(description);
  for (const part of parts) command.addCommand(part);
  return withHelp(command, help);
}

export function helpOf(command: Command): Help {
  return helps.get(command) ?? { examples: [] };
}
