import { sosiaCommand } from '../program.ts';

const program = await sosiaCommand();

/** What is wrong with the first `sosia …` of a shell line; an empty text if nothing is. */
export function faultOf(example: string): string {
  const words = example
    .replace(/^.*?\bsosia /, '')
    .split(/ [|>] /)[0]!
    .split(' ');
  let command = program;
  for (; command.commands.length > 0; words.shift()) {
    const next = command.commands.find((each) => each.name() === words[0]);
    if (!next) return `no command ${words[0]}`;
    command = next;
  }
  const unknown = words.filter(
    (word) => /^--?[a-z]/.test(word) && !command.options.some(({ long, short }) => word === long || word === short),
  );
  return unknown.map((word) => `no option ${word}`).join();
}
