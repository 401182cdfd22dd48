import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { commandGroups } from './commands.ts';
import { withHelp } from './help.ts';
import { logLine } from './terminal/output.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * The command line as a tree, from which help, completion and docs/cli.md are generated.
 * @param wanted  names of the commands to load; all if missing
 */
export async function sosiaCommand(wanted?: readonly string[]): Promise<Command> {
  const program = new Command('sosia').description('Finds the look-alikes of a picture.').version(version);
  for (const [title, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(title);
    for (const [name, load] of Object.entries(commands)) {
      if (wanted === undefined || wanted.includes(name)) program.addCommand(await load());
    }
  }
  program.helpCommand('help [command]', 'Describe a command.');
  forEachCommand(program, (command) =>
    command
      .exitOverride()
      .configureOutput({ writeErr: (text) => logLine(withMeant(text.trimEnd())) })
      .showHelpAfterError('(--help shows more)')
      .configureHelp({ minWidthToWrap: 20 }),
  );
  return withHelp(program, {
    examples: ['sosia app create --type media-matching --name posters', 'sosia serve'],
    notes: ['`sosia help COMMAND` describes a command, docs/cli.md all commands.'],
  });
}

function forEachCommand(command: Command, use: (command: Command) => void): void {
  use(command);
  for (const inner of command.commands) forEachCommand(inner, use);
}

/** Words that people try, and what they mean. The nearest one by its letters is another one, or there is none. */
function withMeant(text: string): string {
  return text
    .replace(/unknown option '--port'[^]*?(?=\n\(--help|$)/, "unknown option '--port'; --modify-port and --query-port")
    .replace("unknown command 'duplicates'", '$&; `sosia review start --wait`, then `sosia review groups`');
}
