import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations } from '@sosia/server';
import { administration } from '@sosia/server/administration/operations';
import { review } from '@sosia/server/review/operations';
import type { Command } from 'commander';
import { sosiaCommand } from './program.ts';
import { faultOf } from './testing/command-line.test.kit.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const inDocs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = [
  ...inDocs.map((name) => `docs/${name}`),
  'README.md',
  'CONTRIBUTING.md',
  'DESIGN.md',
  'SECURITY.md',
  'RELEASING.md',
  'client/README.md',
  'cli/README.md',
  'examples/README.md',
];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Commands for a shell, one a line, from the blocks of some languages. */
function commandsOf(page: string, ...languages: string[]): string[] {
  const blocks = [...textOf(page).matchAll(/^```(\w+)\n([^]*?)^```/gm)].filter(([, language]) =>
    languages.includes(language!),
  );
  const lines = blocks.flatMap(([, , block]) => block!.replaceAll(/\\\n\s*/g, '').split('\n'));
  return lines.map((line) => line.replace(/(^|\s)#.*$/, '').trim()).filter((line) => line !== '');
}

test('every link of the pages leads to a file that is there, and to a heading of it', () => {
  let links = 0;
  for (const page of pages) {
    const prose = textOf(page)
      .replaceAll(/^```[^]*?^```/gm, '')
      .replaceAll(/`[^`]*`/g, '');
    for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target!)) continue;
      links++;
      const [path, anchor] = target!.split('#') as [string, string?];
      const file = path === '' ? page : normalize(join(dirname(page), path));
      assert.ok(existsSync(join(root, file)), `${page}: ${target}`);
      if (anchor) assert.ok(anchorsOf(file).includes(anchor), `${page}: ${target}`);
    }
  }
  assert.ok(links > 40, `only ${links} links found`);
});

test('every picture of docs/pictures is shown, with a description', () => {
  const shown = inDocs.flatMap((page) => [...textOf(`docs/${page}`).matchAll(/!\[([^\]]*)\]\(pictures\/([^)]+)\)/g)]);
  assert.deepEqual(shown.map(([, , name]) => name).sort(), readdirSync(join(root, 'docs/pictures')).sort());
  for (const [, words] of shown) assert.ok(words!.length > 20, words);
});

test('every sosia command of the pages is there, with the options it is given', () => {
  let commands = 0;
  for (const page of pages) {
    for (const line of commandsOf(page, 'sh', 'console')) {
      for (const part of line.split(/ (?:&&|;|\|) /)) {
        if (!/^(\w+=\S+ )*(npx )?sosia /.test(part)) continue;
        commands++;
        assert.equal(faultOf(part), '', `${page}: ${part}`);
        assert.doesNotMatch(part, /\bsosia add [^\s.]+( |$)/, `${page} adds a folder: ${part}`);
      }
    }
  }
  assert.ok(commands > 40, `only ${commands} commands found`);
});

test('the commands that need a service and a key are those that the page names', async () => {
  const [, named] = /^- The commands for a running service \(([^)]*)\) take its key from/m.exec(textOf('docs/cli.md'))!;
  const takesKey = ({ options, commands }: Command): boolean =>
    commands.length === 0 && options.some(({ envVar, mandatory }) => envVar === 'SOSIA_KEY' && mandatory);
  const all = (command: Command, name: string): string[] => [
    ...(takesKey(command) ? [`\`${name}\``] : []),
    ...command.commands.flatMap((each) => all(each, `${name} ${each.name()}`)),
  ];
  assert.equal(named, all(await sosiaCommand(), 'sosia').join(', '));
});

test('every sosia command in a sentence of the pages is there, with the options it is given', () => {
  let commands = 0;
  for (const page of pages) {
    const prose = textOf(page).replaceAll(/^```[^]*?^```/gm, '');
    for (const [, command] of prose.matchAll(/`((?:npx )?sosia [a-z][^`]*)`/g)) {
      commands++;
      const fault = faultOf(command!.replaceAll(/ ?…/g, ''));
      if (fault !== 'no command undefined')
        // a group, such as `sosia app`
        assert.equal(fault, '', `${page}: ${command}`);
    }
  }
  assert.ok(commands > 100, `only ${commands} commands found`);
});

test('every curl line of the pages requests an existing operation with its parameters', () => {
  let requests = 0;
  for (const page of pages) {
    const lines = commandsOf(page, 'sh', 'console').filter((each) => each.startsWith('curl '));
    for (const line of lines.filter((each) => !each.includes('/_plugins/'))) {
      // requests to OpenSearch
      requests++;
      assert.equal(curlFault(line), '', `${page}: ${line}`);
    }
  }
  assert.ok(requests > 20, `only ${requests} lines found`);
  assert.match(curlFault('curl http://127.0.0.1:8080/api/v2.0/enginemodify/json/AddImage'), /port/);
  assert.match(
    curlFault('curl -F application_key=k -F ids=a http://127.0.0.1:8080/api/v2.0/enginequery/json/SearchImageByUpload'),
    /no parameter ids/,
  );
  assert.match(curlFault('curl http://127.0.0.1:8080/api/v2.0/enginequery/json/Search'), /no operation/);
});

test('what is to be deployed starts the service with options that it has', () => {
  const [, start] = /^ExecStart=\S+node \S+\/cli\/bin\/sosia\.js (.*)$/m.exec(textOf('deploy/sosia.service'))!;
  assert.equal(faultOf(`sosia ${start}`), '');
  const image = textOf('deploy/Containerfile');
  const [command] = [...image.matchAll(/^CMD (\[.*\])$/gm)].map(([, json]) => JSON.parse(json!) as string[]);
  assert.equal(command![0], 'sosia');
  assert.equal(faultOf(command!.join(' ')), '');
  for (const [, variable] of image.matchAll(/\b(SOSIA_\w+)=/g))
    assert.match(textOf('docs/config.md'), new RegExp(`\`${variable}\``));
});

test('what is to be deployed keeps its data folder to its user, and MODIFY to its machine', () => {
  assert.match(textOf('deploy/sosia.service'), /^StateDirectoryMode=0700$/m);
  for (const compose of ['deploy/compose.yaml', 'deploy/cluster/compose.yaml'])
    assert.deepEqual(textOf(compose).match(/'[^']*:7789'/g), ["'127.0.0.1:7789:7789'"], compose);
});

test('no command of the pages fetches the package of somebody else', () => {
  for (const page of [...pages, 'cli/README.md', 'examples/README.md']) {
    if (page === 'CONTRIBUTING.md') continue; // in a clone
    const commands = commandsOf(page, 'sh', 'console').filter((line) => /npx (-\S+ )*sosia(?!-server)/.test(line));
    assert.deepEqual(commands, [], page);
  }
});

test('every page is two links away from the README', () => {
  const linksOf = (page: string): string[] =>
    Array.from(textOf(page).matchAll(/\]\(([^)#\s]+)/g), ([, target]) => normalize(join(dirname(page), target!)));
  const near = linksOf('README.md').flatMap((page) => [page, ...(page.endsWith('.md') ? linksOf(page) : [])]);
  assert.deepEqual(
    inDocs.map((name) => `docs/${name}`).filter((page) => !near.includes(page)),
    [],
  );
});

/** Tasks of readers: the words of the link on the first page of docs/ that they follow, and the heading that they look for. */
const tasks = [
  ['install it', 'Quick start', 'Install'],
  ['choose a type', 'Application types', 'media-matching'],
  ['add a folder', 'Adding pictures', 'A folder or a list'],
  ['search with a picture', 'Searching', 'With a picture'],
  ['know what a score means', 'Scores and decisions', 'The score'],
  ['remove duplicates', 'Console', 'Reviewing copies'],
  ['ignore a logo', 'Never match this', 'The ignore list'],
  ['make a backup', 'Operating', 'Backup and restore'],
  ['run it in a container', 'Operating', 'A container'],
  ['write a program', 'Programs', 'TypeScript and JavaScript'],
] as const;

test('ten tasks are two clicks away from the first page', () => {
  for (const [task, link, heading] of tasks) {
    const target = new RegExp(`\\[${link}\\]\\(([\\w-]+\\.md)\\)`).exec(textOf('docs/README.md'))?.[1];
    assert.ok(target, `${task}: the first page has no link ${link}`);
    assert.match(textOf(`docs/${target}`), new RegExp(`^##+ ${heading}$`, 'm'), task);
  }
});

function curlFault(line: string): string {
  const [, port, path] = /http:\/\/127\.0\.0\.1:(\d+)(\/[^\s"]*)/.exec(line) ?? [];
  if (!path) return 'no address of the service';
  if (['/ready', '/readyz', '/healthz', '/metrics', '/openapi.json', '/docs'].includes(path)) return '';
  const [, family, name] = /^\/api\/v2\.0\/(\w+)\/json\/(\w+)/.exec(path) ?? [];
  const others = new Map<string | undefined, readonly { name: string }[]>(
    Object.entries({ administration, review }),
  ).get(family);
  if (others) return others.some((each) => each.name === name) ? '' : `no operation ${name} of ${family}`;
  const operation = operations.find((each) => each.name === name && each.families.some((it) => it === family));
  if (!operation) return `no operation ${name} of ${family}`;
  if (port !== (family === 'enginequery' ? '8080' : '7789')) return `port ${port} for ${family}`;
  const given = [...line.matchAll(/(?:-F|--data-urlencode) "?(\w+)=/g)].map(([, parameter]) => parameter!);
  if (!given.includes('application_key')) return 'no application_key';
  const known = ['application_key', ...Object.keys(operation.parameters.properties)];
  return given
    .filter((parameter) => !known.includes(parameter))
    .map((parameter) => `no parameter ${parameter}`)
    .join();
}

/** As code hosts make them. */
function anchorsOf(page: string): string[] {
  const headings = textOf(page)
    .replaceAll(/^```[^]*?^```/gm, '')
    .matchAll(/^#{1,6} (.*)$/gm);
  return Array.from(headings, ([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
