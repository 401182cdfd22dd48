import type { DescribedCommand } from './described-command.ts';

/** A script for fish. */
export function fishCompletion(commands: readonly DescribedCommand[]): string {
  const lines = commands.flatMap((command) => [
    ...command.commands.map((name) => {
      const { about } = commands.find(({ path }) => path.join(' ') === [...command.path, name].join(' '))!;
      return `complete -c sosia -f -n ${quoted(`__sosia_at ${[...command.path, '--'].join(' ')}`)} -a ${name} -d ${quoted(about)}`;
    }),
    ...command.choices.map(
      (choice) => `complete -c sosia -f -n ${quoted(`__sosia_at ${[...command.path, '--'].join(' ')}`)} -a ${choice}`,
    ),
    ...command.options.map(({ name, about, takesValue, choices }) => {
      const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
      const where = quoted(`__sosia_at ${command.path.join(' ')}`.trim());
      return `complete -c sosia -n ${where} -l ${name.slice(2)}${value} -d ${quoted(about)}`;
    }),
  ]);
  return `# Completion of sosia for fish, made by \`sosia completion fish\`.
# Whether the command line begins with these commands; with -- at the end, whether nothing follows them.
function __sosia_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l given (string match -v -- '-*' $words)
    if test "$argv[-1]" = --
        set -e argv[-1]
        test (count $given) -eq (count $argv); or return 1
    end
    for i in (seq (count $argv))
        test "$given[$i]" = "$argv[$i]"; or return 1
    end
end
${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
