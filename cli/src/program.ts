import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '@sosia/server';
import { appCommand } from './app.ts';
import { profileCommand } from './profile.ts';
import { dnaCommand } from './dna.ts';
import { importCommand } from './import.ts';
import { serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * Runs one command line.
 * @param words  what follows the name of the command
 * @returns the exit code: 0 done, 1 failed, 2 the command line or the settings cannot be used
 */
export async function run(words: readonly string[]): Promise<0 | 1 | 2> {
  const program = new Command('sosia')
    .description('Finds the look-alikes of a picture.')
    .version(version)
    .addCommand(serveCommand())
    .addCommand(appCommand())
    .addCommand(importCommand())
    .addCommand(statusCommand())
    .addCommand(profileCommand())
    .addCommand(dnaCommand())
    .addHelpText('after', '\nStart with:\n  $ sosia app create --type media-matching --name posters\n  $ sosia serve');
  forEachCommand(program, (command) => command.exitOverride().showHelpAfterError('(--help tells more)'));

  try {
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : 2; // it has printed what it has to say
    process.stderr.write(`sosia: ${messageOf(cause)}\n`);
    return cause instanceof ConfigError ? 2 : 1;
  }
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, port, address } = cause as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken; another one can be given with --modify-port or --query-port`;
  return cause.message;
}

function forEachCommand(command: Command, use: (command: Command) => void): void {
  use(command);
  for (const inner of command.commands) forEachCommand(inner, use);
}
