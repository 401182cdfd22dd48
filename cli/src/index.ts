import { CommanderError } from 'commander';
import { ConfigError } from '@sosia/server/config';
import { commandGroups } from './commands.ts';
import { sosiaCommand } from './program.ts';
import { messageOf } from './terminal/message.ts';
import { logLine } from './terminal/output.ts';
import { UsageError } from './usage.ts';

/**
 * Runs one command line.
 * @param words  the words after the name of the command
 * @returns the exit code: 0 done, 1 failed, 2 invalid command line or settings
 */
export async function run(words: readonly string[]): Promise<0 | 1 | 2> {
  process.stdout.on('error', endWhenUnread);
  try {
    const program = await sosiaCommand(commandsFor(words));
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : 2; // it has printed its message
    logLine(`sosia: ${messageOf(cause)}${codeOf(cause)}`);
    const { hintOf } = await import('./terminal/hint.ts'); // loads the SDK
    const hint = hintOf(cause);
    if (hint) logLine(`       ${hint}`);
    return cause instanceof ConfigError || cause instanceof UsageError ? 2 : 1;
  }
}

/** That of docs/errors.md. */
function codeOf(cause: unknown): string {
  const { code } = Object(cause) as { code?: unknown };
  return typeof code === 'number' ? ` (${code})` : '';
}

/** The commands that a command line needs. Help, and the suggestions after a misspelt name, need all of them. */
function commandsFor([first]: readonly string[]): readonly string[] | undefined {
  if (first === '--version' || first === '-V') return [];
  const names = Object.values(commandGroups).flatMap((group) => Object.keys(group));
  return first !== undefined && names.includes(first) ? [first] : undefined;
}

/** `sosia export | head` closes the pipe early, which is no fault. */
function endWhenUnread(cause: NodeJS.ErrnoException): void {
  if (cause.code === 'EPIPE') process.exit(0);
  throw cause;
}
