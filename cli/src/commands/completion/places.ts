import type { Command } from 'commander';

/** The view of a command for completion. */
export interface Place {
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
export function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const options = command.options.map(({ long, description, flags, argChoices }) => ({
    name: long!,
    about: sentence(description),
    takesValue: /[<[]/.test(flags),
    choices: argChoices ?? [],
  }));
  const place = {
    path,
    about: sentence(command.description()),
    commands: command.commands.map((each) => each.name()),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    options: [...options, { name: '--help', about: 'Show all help.', takesValue: false, choices: [] }],
  };
  return [place, ...command.commands.flatMap((each) => placesOf(each, [...path, each.name()]))];
}

function sentence(text: string): string {
  return text.split(/(?<=[.:])\s/)[0]!;
}
