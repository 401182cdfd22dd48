import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { helpOf } from './help.ts';
import { sosiaCommand } from './program.ts';

const program = sosiaCommand();
const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

test('every command has examples', () => {
  const without = all(program).filter((command) => helpOf(command).examples.length === 0);
  assert.deepEqual(
    without.map((command) => command.name()),
    [],
  );
});

test('every example names a command that is there, with options that it has', () => {
  for (const command of all(program)) {
    for (const example of helpOf(command).examples) assert.equal(faultOf(example), '', example);
  }
  assert.match(faultOf('sosia app make --type media-matching'), /no command make/);
  assert.match(faultOf('sosia search a.jpg --app KEY --most 3'), /no option --most/);
});

test('the help of every command fits into 80 columns', () => {
  for (const command of all(program)) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 }).outputHelp();
    assert.match(help, /Examples:/);
    for (const line of help.split('\n')) assert.ok(line.length <= 80, line);
  }
});

/** What is wrong with the first `sosia …` of a shell line; '' if nothing. */
function faultOf(example: string): string {
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
