import type { Command } from 'commander';

/** A command as completion sees it. */
export interface Place {
  /** The words that lead to it, without the first one; none for the program itself. */
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
  /** The values it takes, if they can be listed. */
  readonly choices: readonly string[];
}

/** All commands of a tree, each after the one it belongs to. */
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
    options: [...options, { name: '--help', about: 'Tell all of it.', takesValue: false, choices: [] }],
  };
  return [place, ...command.commands.flatMap((each) => placesOf(each, [...path, each.name()]))];
}

function sentence(text: string): string {
  return text.split(/(?<=[.:])\s/)[0]!;
}
