import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '@sosia/server';
import { appCommand } from './app.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { benchCommand } from './bench.ts';
import { classifyCommand } from './classify.ts';
import { compareCommand } from './compare.ts';
import { completionCommand } from './completion.ts';
import { deleteCommand } from './delete.ts';
import { dnaCommand } from './dna.ts';
import { duplicatesCommand } from './duplicates.ts';
import { exportCommand } from './export.ts';
import { withHelp } from './help.ts';
import { importCommand } from './import.ts';
import { messageOf } from './message.ts';
import { paletteCommand } from './palette.ts';
import { profileCommand } from './profile.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { UsageError } from './usage.ts';
import { verifyCommand } from './verify.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The whole command line as a tree; help, completion and docs/cli.md are made of it. */
export function sosiaCommand(): Command {
  const program = new Command('sosia').description('Finds the look-alikes of a picture.').version(version);
  program.commandsGroup('The service:');
  program
    .addCommand(serveCommand())
    .addCommand(appCommand())
    .addCommand(profileCommand())
    .addCommand(verifyCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand());
  program.commandsGroup('Pictures of an application:');
  program
    .addCommand(importCommand())
    .addCommand(searchCommand())
    .addCommand(exportCommand())
    .addCommand(deleteCommand())
    .addCommand(paletteCommand())
    .addCommand(classifyCommand())
    .addCommand(duplicatesCommand())
    .addCommand(benchCommand())
    .addCommand(statusCommand());
  program.commandsGroup('Without a service:');
  program.addCommand(compareCommand()).addCommand(dnaCommand()).addCommand(completionCommand());
  program.helpCommand('help [command]', 'Tell all of a command.');
  forEachCommand(program, (command) =>
    command.exitOverride().showHelpAfterError('(--help tells more)').configureHelp({ minWidthToWrap: 20 }),
  );
  return withHelp(program, {
    examples: ['sosia app create --type media-matching --name posters', 'sosia serve'],
    notes: ['`sosia help COMMAND` tells all of a command, docs/cli.md of every one.'],
  });
}

/**
 * Runs one command line.
 * @param words  what follows the name of the command
 * @returns the exit code: 0 done, 1 failed, 2 the command line or the settings cannot be used
 */
export async function run(words: readonly string[]): Promise<0 | 1 | 2> {
  process.stdout.on('error', endWhenUnread);
  try {
    await sosiaCommand().parseAsync([...words], { from: 'user' });
    return 0;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : 2; // it has printed what it has to say
    process.stderr.write(`sosia: ${messageOf(cause)}\n`);
    return cause instanceof ConfigError || cause instanceof UsageError ? 2 : 1;
  }
}

/** `sosia export | head` closes the pipe when it has enough, and that is no fault. */
function endWhenUnread(cause: NodeJS.ErrnoException): void {
  if (cause.code === 'EPIPE') process.exit(0);
  throw cause;
}

function forEachCommand(command: Command, use: (command: Command) => void): void {
  use(command);
  for (const inner of command.commands) forEachCommand(inner, use);
}
