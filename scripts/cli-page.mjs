// docs/cli.md, generated from the tree of commands. Part of `npm run docs`.
import { helpOf } from '../cli/dist/help.js';
import { sosiaCommand } from '../cli/dist/program.js';

export async function cliPage() {
  const program = await sosiaCommand();
  const leaves = leavesOf(program, 'sosia');
  const connected = leaves.filter(({ command }) => command.options.some(isServiceKey));
  return `# The command line

\`sosia COMMAND\` where the package is installed, \`npx sosia COMMAND\` in a clone. \`sosia --help\` and \`sosia COMMAND --help\` show the same text as this page.

- Results go to stdout, everything else to stderr. On a terminal tables are cut to its width; into a file or a pipe they are
  whole. \`--json\` prints JSON for programs, one value per line; its names do not change.
- There are no colours if stdout is no terminal, and with \`NO_COLOR\`.
- The commands for a running service (${connected.map(({ name }) => `\`${name}\``).join(', ')}) take its key from
  \`--app\` or \`SOSIA_KEY\`, and its addresses from \`--modify-url\` and \`--query-url\` or \`SOSIA_MODIFY_URL\` and \`SOSIA_QUERY_URL\`.
- The commands on a data folder take it from \`--data\` or \`SOSIA_DATA\`; see [config.md](config.md).

## Exit codes

| code | meaning |
| --- | --- |
| 0 | all is done |
| 1 | something failed: the service refused or did not answer, a file cannot be read, a record is damaged; stderr says what |
| 2 | the command line or the settings cannot be used; nothing was done |

## Commands

${leaves.map(({ name, command }) => `- [\`${name}\`](#${name.replaceAll(' ', '-')}) ${firstSentence(command.description())}`).join('\n')}

${leaves.map(section).join('\n')}`;
}

/** Whether an option is the key of a command that always needs a service. */
function isServiceKey({ envVar, mandatory }) {
  return envVar === 'SOSIA_KEY' && mandatory;
}

function leavesOf(command, name) {
  if (command.commands.length === 0) return [{ name, command, group: [] }];
  const inherited = helpOf(command).notes ?? [];
  return command.commands.flatMap((each) =>
    leavesOf(each, `${name} ${each.name()}`).map((leaf) =>
      name === 'sosia' ? leaf : { ...leaf, group: [...inherited, ...leaf.group] },
    ),
  );
}

function section({ name, command, group }) {
  const { examples, notes = [] } = helpOf(command);
  const usage = command.registeredArguments.map((each) => {
    const shown = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? `<${shown}>` : `[${shown}]`;
  });
  const words = command.registeredArguments
    .filter(({ description }) => description)
    .map((each) => [`\`${each.name()}\``, choices(each.description, each.argChoices)]);
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => [`\`${option.flags}\``, described(option)]);
  return `### ${name}

${command.description()}

    ${[name, '[options]', ...usage].join(' ')}

${table(['argument or option', 'meaning'], [...words, ...options])}
\`\`\`sh
${examples.join('\n')}
\`\`\`
${[...notes, ...group].map((note) => `\n${note}\n`).join('')}`;
}

function described({ description, argChoices, defaultValue, envVar, mandatory }) {
  const more = [
    mandatory && 'required',
    defaultValue !== undefined &&
      !['', 'true', 'false'].includes(String(defaultValue)) &&
      `default \`${defaultValue}\``,
    envVar && `variable \`${envVar}\``,
  ].filter(Boolean);
  return `${choices(description, argChoices)}${more.length > 0 ? ` (${more.join('; ')})` : ''}`;
}

function choices(description, values) {
  if (!values) return description;
  return `${description.replace(/(?<![.)])$/, '.')} One of ${values.map((each) => `\`${each}\``).join(', ')}.`;
}

function firstSentence(text) {
  return text.split(/(?<=\.)\s/)[0];
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}
