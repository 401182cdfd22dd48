import type { ApplicationDefaults } from '@sosia/server';
import { InvalidArgumentError, type Command } from 'commander';
import { share, whole } from '../../connection/connection.ts';

/** The result of the flags of `addDefaults`. */
export interface DefaultOptions {
  readonly nbResults?: number;
  readonly colorWeight?: number;
  readonly retrievalThreshold?: number;
}

export function addDefaults(command: Command): Command {
  return command
    .option('--nb-results <N>', 'Default number of results of a search, 1 to 1000.', whole(1, 1000))
    .option('--color-weight <N>', 'Default weight of colour in a search, 0 to 100.', whole(0, 100))
    .option('--retrieval-threshold <SCORE>', 'Only results with a score below are listed; above 0, at most 1.', share);
}

export function changed(defaults: ApplicationDefaults, options: DefaultOptions): ApplicationDefaults {
  return {
    nbResults: options.nbResults ?? defaults.nbResults,
    colorWeight: options.colorWeight ?? defaults.colorWeight,
    retrievalThreshold: options.retrievalThreshold ?? defaults.retrievalThreshold,
  };
}

/** Reads the name of an application. */
export function nameOf(text: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,100}$/u.test(text) && text.trim() === text) return text;
  throw new InvalidArgumentError('Expected 1 to 100 characters without control characters or spaces around.');
}
