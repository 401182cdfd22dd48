import { Sosia } from '@sosia/client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { withHelp } from '../help.ts';
import { printOutcome } from '../terminal/output.ts';

/** The result of the flags of `addConnection`. */
export interface ConnectionOptions {
  readonly app: string;
  readonly modifyUrl?: string;
  readonly queryUrl?: string;
  readonly json?: boolean;
}

type Ports = readonly ('modify' | 'query')[];

/** Makes commands of a group that use a running service. An example is what follows the verb. */
export function commandsOf(group: string) {
  return (verb: string, description: string, ...examples: string[]): Command => {
    const whole = examples.map(
      (words) => `sosia ${group} ${verb} ${words.includes('--app') ? words : `${words} --app KEY`}`,
    );
    return withHelp(addConnection(new Command(verb).description(description), ['modify']), { examples: whole });
  };
}

/** Deletes what has a name. @param done  said of it then */
export function deletes(command: Command, work: (sosia: Sosia, id: string) => Promise<unknown>, done = 'deleted') {
  return command.action(async (id: string, options: ConnectionOptions) => {
    await work(connect(options), id);
    printOutcome(options.json, { deleted: id }, `${done}: ${id}`);
  });
}

/** The flags of a command that uses a running service. */
export function addConnection(command: Command, ports: Ports): Command {
  return addAddresses(command.addOption(keyOption().env('SOSIA_KEY').makeOptionMandatory()), ports);
}

/** The same for a command that also works without a service, which it uses only if its flags say so. */
export function addService(command: Command, ports: Ports): Command {
  return addAddresses(command.addOption(keyOption()), ports);
}

function keyOption(): Option {
  return new Option('--app <KEY>', 'Key of the application.');
}

function addAddresses(command: Command, ports: Ports): Command {
  if (ports.includes('modify')) command.addOption(address('modify', 7789));
  if (ports.includes('query')) command.addOption(address('query', 8080));
  return command.option('--json', 'Print JSON.');
}

function address(port: 'modify' | 'query', number: number): Option {
  return new Option(`--${port}-url <URL>`, `Address of the ${port.toUpperCase()} port.`)
    .env(`SOSIA_${port.toUpperCase()}_URL`)
    .default(`http://127.0.0.1:${number}`)
    .argParser(httpAddress);
}

export function connect({ app: key, modifyUrl = '', queryUrl = '' }: ConnectionOptions): Sosia {
  return new Sosia({ key, modify: modifyUrl, query: queryUrl });
}

/** Reads a whole number in a range, both ends included. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Parses a number above 0, at most 1. */
export function share(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1) return value;
  throw new InvalidArgumentError('Expected a number above 0, at most 1.');
}

function httpAddress(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('Expected an address such as http://127.0.0.1:7789.');
}
