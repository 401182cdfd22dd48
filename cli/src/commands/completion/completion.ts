import { Argument, Command } from 'commander';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { describedCommands } from './described-command.ts';
import { zshCompletion } from './zsh.ts';
import { withHelp } from '../../help.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `sosia completion`: the script has all words, since a command that each tab key starts would take most of a second. */
export function completionCommand(): Command {
  const command = new Command('completion')
    .description('Print a script that makes a shell complete commands, options and their values.')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(scripts)))
    .action(async (shell: keyof typeof scripts) => {
      const { sosiaCommand } = await import('../../program.ts'); // this file is loaded by it
      process.stdout.write(scripts[shell](describedCommands(await sosiaCommand())));
    });
  return withHelp(command, {
    examples: [
      'source <(sosia completion bash)',
      'sosia completion bash > ~/.local/share/bash-completion/completions/sosia',
      'source <(sosia completion zsh)',
      'sosia completion fish > ~/.config/fish/completions/sosia.fish',
    ],
  });
}
