import type { Command } from 'commander';

/** The view of a command for completion. */
export interface DescribedCommand {
  /** The words of the command, without the first one; none for the program itself. */
  readonly path: readonly string[];
  readonly about: string;
  readonly commands: readonly string[];
  /** The values of its first argument, if they can be listed. */
  readonly choices: readonly string[];
  readonly options: readonly Flag[];
}

export interface Flag {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
  /** Its values, if they can be listed. */
  readonly choices: readonly string[];
}

/** All commands of a tree, each after its parent. */
export function describedCommands(command: Command, path: readonly string[] = []): DescribedCommand[] {
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, description, flags, argChoices }) => ({
      name: long!,
      about: sentence(description),
      takesValue: /[<[]/.test(flags),
      choices: argChoices ?? [],
    }));
  const described = {
    path,
    about: sentence(command.description()),
    commands: command.commands.map((each) => each.name()),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    options: [...options, { name: '--help', about: 'Show all help.', takesValue: false, choices: [] }],
  };
  return [described, ...command.commands.flatMap((each) => describedCommands(each, [...path, each.name()]))];
}

function sentence(text: string): string {
  return text.split(/(?<=[.:])\s/)[0]!;
}
