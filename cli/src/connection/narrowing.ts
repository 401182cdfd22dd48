import type { Narrowing } from '@sosia/client';
import type { Command } from 'commander';

/** The flags of a command on some pictures of an application. */
export function addNarrowing(command: Command): Command {
  return command
    .option('--keywords <WORDS...>', 'Only pictures that have all of these keywords.')
    .option('--ids <IDS...>', 'Only pictures with one of these ids.')
    .option('--where <CONDITIONS...>', 'Only pictures whose metadata match all of these, such as "year>=2020".');
}

/** Those flags among the options of a command. */
export function narrowingOf({ keywords, ids, where }: Narrowing): Narrowing {
  return { ...(keywords && { keywords }), ...(ids && { ids }), ...(where && { where }) };
}
