import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError, flagOf, readConfig, settingNames, settings, variableOf } from './config.ts';

test('without any source every default passes its own reader', () => {
  const config = readConfig({});
  assert.equal(config.data, './data');
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.modify_port, 7789);
  assert.equal(config.query_port, 8080);
  assert.ok(config.search_workers >= 1);
  assert.ok(Object.isFrozen(config));
});

test('a flag takes precedence over a variable, a variable over the file, the file over the default', () => {
  withFile({ query_port: 1, modify_port: '2', host: 'file' }, (file) => {
    const config = readConfig({
      file,
      env: { SOSIA_QUERY_PORT: '3', SOSIA_HOST: 'variable' },
      flags: { host: 'flag' },
    });
    assert.deepEqual([config.query_port, config.modify_port, config.host, config.data], [3, 2, 'flag', './data']);
  });
});

test('the settings file may be named by SOSIA_CONFIG', () => {
  withFile({ query_port: 81 }, (file) => assert.equal(readConfig({ env: { SOSIA_CONFIG: file } }).query_port, 81));
});

test('an empty variable is not set', () => {
  assert.equal(readConfig({ env: { SOSIA_QUERY_PORT: '' } }).query_port, 8080);
});

test('auto workers are counted from the cores, a number is taken as it is', () => {
  assert.equal(readConfig({ env: { SOSIA_SEARCH_WORKERS: '7' } }).search_workers, 7);
  assert.ok(readConfig({}).decode_workers <= 8);
});

test('all faults are reported together, each with its source, the expected and the actual value', () => {
  withFile({ log_level: 'loud', sloth: 1, host: true }, (file) => {
    const faults = faultsOf({
      file,
      env: { SOSIA_QUERY_PORT: '65536', SOSIA_SEARCH_WORKERS: '0' },
      flags: { modify_port: 'http', data: '' },
    });
    assert.deepEqual(faults.sort(), [
      '--data: expected some text, got ""',
      '--modify-port: expected a whole number from 0 to 65535, got "http"',
      'SOSIA_QUERY_PORT: expected a whole number from 0 to 65535, got "65536"',
      'SOSIA_SEARCH_WORKERS: expected a whole number from 1 to 256, got "0"',
      `host in ${file}: expected text or a number, got true`,
      `log_level in ${file}: expected one of fatal, error, warn, info, debug, trace, silent, got "loud"`,
      `sloth in ${file}: no such setting`,
    ]);
  });
});

test('a settings file that is missing, no JSON or no object is a fault', () => {
  assert.match(faultsOf({ file: '/nowhere/sosia.json' })[0]!, /^settings file \/nowhere\/sosia\.json: ENOENT/);
  // no message quotes the file, which may have a password
  for (const text of [
    '{"cluster": https://u:secret@a}',
    '{"cluster": "https://u:secret@a" x}',
    '{"cluster": ["secret"]}',
  ])
    withFile(text, (file) => assert.doesNotMatch(faultsOf({ file }).join(), /secret|https/, text));
  withFile('{', (file) => assert.match(faultsOf({ file })[0]!, /^settings file .*JSON/));
  withFile('[]', (file) => assert.match(faultsOf({ file })[0]!, /expected one JSON object$/));
});

test('every row has a sentence, a variable and a flag of the usual form', () => {
  for (const name of settingNames) {
    assert.match(settings[name].about, /^[A-Z].*\.$/);
    assert.match(variableOf(name), /^SOSIA_[A-Z_]+$/);
    assert.match(flagOf(name), /^--[a-z-]+$/);
  }
});

function faultsOf(sources: Parameters<typeof readConfig>[0]): string[] {
  try {
    readConfig(sources);
  } catch (cause) {
    assert.ok(cause instanceof ConfigError);
    return cause.message.split('\n');
  }
  return assert.fail('expected faults');
}

function withFile(content: object | string, use: (file: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-config-'));
  const file = join(folder, 'sosia.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  try {
    use(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
