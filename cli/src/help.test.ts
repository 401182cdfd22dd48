import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { faultOf } from './testing/command-line.test.kit.ts';
import { helpOf } from './help.ts';
import { sosiaCommand } from './program.ts';

const program = await sosiaCommand();
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

test('the help of the demo has no cluster, which it refuses', () => {
  const helpOfCommand = (name: string) => program.commands.find((each) => each.name() === name)!.helpInformation();
  assert.match(helpOfCommand('serve'), /--cluster /);
  assert.doesNotMatch(helpOfCommand('demo'), /--cluster/);
});

test('the help of every command fits into 80 columns', () => {
  for (const command of all(program)) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 }).outputHelp();
    assert.match(help, /Examples:/);
    for (const line of help.split('\n')) assert.ok(line.length <= 80, line);
  }
});
