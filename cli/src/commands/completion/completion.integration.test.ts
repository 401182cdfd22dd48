import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sosiaCommand } from '../../program.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { describedCommands } from './described-command.ts';
import { zshCompletion } from './zsh.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-completion-'));
before(async () => {
  const commands = describedCommands(await sosiaCommand());
  writeFileSync(join(folder, 'bash'), bashCompletion(commands));
  writeFileSync(join(folder, 'zsh'), zshCompletion(commands));
  writeFileSync(join(folder, 'fish'), fishCompletion(commands));
  writeFileSync(join(folder, 'my photo.jpg'), '');
});
after(() => rmSync(folder, { recursive: true }));

const has = (name: string) => spawnSync(name, ['--version']).status === 0;

/** What each shell must do: the words typed, then what the last one becomes, one of several or the only one. */
const cases: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['sosia imp', ['import']],
  ['sosia app ', ['create', 'list', 'show', 'set', 'disable', 'enable', 'shards', 'empty', 'delete']],
  ['sosia app cr', ['create']],
  ['sosia profile im', ['import']],
  ['sosia import --dry', ['--dry-run']],
  ['sosia app create --ty', ['--type']],
  ['sosia app create --type m', ['mobile-matching', 'media-matching']],
  ['sosia dna --side query --type br', ['brand-monitoring']],
  ['sosia completion z', ['zsh']],
];

test('bash offers commands, options and values', { skip: !has('bash') && 'no bash here' }, () => {
  for (const [typed, offered] of cases) {
    const words = typed.split(' ');
    const script = `source '${join(folder, 'bash')}'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _sosia; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
    assert.deepEqual([stdout.split('\n').filter(Boolean).sort(), stderr], [[...offered].sort(), ''], typed);
  }
});

test(
  'in a bash with a terminal, the tabulator key completes; files, too',
  { skip: !has('script') && 'no script(1) here' },
  () => {
    const typed = [
      `source '${join(folder, 'bash')}'; cd '${folder}'; sosia() { printf '<%s>' "$@"; echo; }`,
      'sosia app cr\t--type med\t',
      'sosia search my\t--expl\t',
      'exit',
    ];
    const shell = ['-qec', 'bash --norc --noprofile -i', '/dev/null'];
    const input = typed.map((line) => `${line}\n`).join('');
    const { stdout } = spawnSync('script', shell, { input, encoding: 'utf8', env: { ...process.env, TERM: 'dumb' } });
    assert.match(stdout, /<app><create><--type><media-matching>/);
    assert.match(stdout, /<search><my photo\.jpg><--explain>/);
  },
);

test('fish offers commands, options and values', { skip: !has('fish') && 'no fish here' }, () => {
  for (const [typed, offered] of cases) {
    const script = `source '${join(folder, 'fish')}'; complete -C '${typed}'`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8', cwd: folder });
    const words = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0]!);
    assert.deepEqual(words.filter((word) => !word.includes('.')).sort(), [...offered].sort(), typed);
  }
});

test(
  'in a zsh with a terminal, the tabulator key completes',
  { skip: !(has('zsh') && has('script')) && 'no zsh here' },
  () => {
    const typed = [
      `autoload -Uz compinit; compinit -u -d '${join(folder, 'dump')}'; source '${join(folder, 'zsh')}'; sosia() { printf '<%s>' "$@"; echo; }`,
      'sosia app cr\t--ty\tmed\t',
      'sosia dna --side query --type br\t',
      'exit',
    ];
    const input = typed.map((line) => `${line}\n`).join('');
    const { stdout } = spawnSync('script', ['-qec', 'zsh -f -i', '/dev/null'], {
      input,
      encoding: 'utf8',
      cwd: folder,
    });
    assert.match(stdout, /<app><create><--type><media-matching>/);
    assert.match(stdout, /<dna><--side><query><--type><brand-monitoring>/);
  },
);
