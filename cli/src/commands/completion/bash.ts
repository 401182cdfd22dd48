import type { DescribedCommand } from './described-command.ts';

/** A script for bash. Words without a completion of ours are left to bash's own, of files. */
export function bashCompletion(commands: readonly DescribedCommand[]): string {
  const steps = commands.flatMap(({ path, commands }) =>
    commands.map((name) => `      '${[...path, name].join(' ')}') place='${[...path, name].join(' ')}' ;;`),
  );
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices }) => `    '${[...path, name].join(' ')}') values='${choices.join(' ')}' ;;`),
  );
  const words = commands.map(
    ({ path, commands, choices, options }) =>
      `    '${path.join(' ')}') words='${[...commands, ...choices].join(' ')}' flags='${options.map(({ name }) => name).join(' ')}' ;;`,
  );
  return `# Completion of sosia for bash, made by \`sosia completion bash\`.
_sosia() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local place='' word words='' flags='' values='none'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${place:+$place }$word" in
${steps.join('\n')}
    esac
  done
  case "\${place:+$place }$before" in
${values.join('\n')}
  esac
  if [[ $values != none ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  case "$place" in
${words.join('\n')}
  esac
  [[ $current == -* ]] && words="$flags"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _sosia sosia
`;
}
