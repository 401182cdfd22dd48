import type { DescribedCommand } from './described-command.ts';

/** A script for zsh, to be sourced after \`compinit\`. */
export function zshCompletion(commands: readonly DescribedCommand[]): string {
  const steps = commands.flatMap(({ path, commands }) =>
    commands.map((name) => `      ${quoted([...path, name].join(' '))}) place=$longer ;;`),
  );
  const cases = commands.map(({ path, commands, choices, options }) => {
    const words = [...commands, ...choices];
    const rest = words.length > 0 ? `'1:word:(${words.join(' ')})'` : `'*:file:_files'`;
    return `    ${quoted(path.join(' '))}) _arguments ${[...options.map(argument), rest].join(' ')} ;;`;
  });
  return `# Completion of sosia for zsh, made by \`sosia completion zsh\`.
_sosia() {
  local place='' word longer
  for word in "\${(@)words[2,CURRENT-1]}"; do
    longer="\${place:+$place }$word"
    case "$longer" in
${steps.join('\n')}
    esac
  done
  local -a path_words=(\${=place})
  shift \${#path_words} words
  (( CURRENT -= \${#path_words} ))
  case "$place" in
${cases.join('\n')}
  esac
}
compdef _sosia sosia
`;
}

function argument({ name, about, takesValue, choices }: DescribedCommand['options'][number]): string {
  const value = choices.length > 0 ? `(${choices.join(' ')})` : '_files';
  return quoted(`${name}[${about.replace(/[[\]]/g, '\\$&')}]${takesValue ? `:value:${value}` : ''}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
