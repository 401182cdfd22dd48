import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the page imports the types of the contract, not its schemas', () => {
  const site = new URL('../site/', import.meta.url);
  const scripts = readdirSync(site).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.includes('console.js'));
  for (const name of scripts) assert.doesNotMatch(readFileSync(new URL(name, site), 'utf8'), /~kind|~unsafe/, name);
});
