import { flagOf, readConfig, settingNames, settings, variableOf } from '@sosia/server/config';
import type { Config, SettingName } from '@sosia/server/config';
import { Option, type Command } from 'commander';

/** The flags of some settings, from the table of settings. */
export function addSettings(command: Command, names: readonly SettingName[] = settingNames): Command {
  for (const name of names) {
    const { argument, about, fallback } = settings[name];
    const from = `(default: ${fallback || 'none'}; variable ${variableOf(name)})`;
    command.addOption(new Option(`${flagOf(name)} <${argument}>`, `${about} ${from}`));
  }
  return command.option('--config <FILE>', 'JSON file of settings. (variable SOSIA_CONFIG)');
}

/** The settings from the flags of a command, the environment and the settings file. */
export function configOf(command: Command): Config {
  const options = command.optsWithGlobals<Record<string, string>>();
  const flags: { [name in SettingName]?: string } = {};
  for (const name of settingNames) {
    const value = options[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) flags[name] = value;
  }
  return readConfig({ flags, env: process.env, file: options['config'] });
}
