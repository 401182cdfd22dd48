import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, rulesIn } from './robots.ts';

const allows = (path: string, text: string): boolean => isAllowed(path, rulesIn(text));

test('the group of this service counts, or else that of all', () => {
  const text =
    'User-agent: other\nDisallow: /\n\nuser-agent: a\nUser-Agent: Sosia # a comment\nDisallow: /no\n\nUser-agent: *\nDisallow: /all';
  assert.equal(allows('/no/1.jpg', text), false);
  assert.equal(allows('/all/1.jpg', text), true);
  const others = 'User-agent: other\nDisallow: /\nUser-agent: *\nDisallow: /all\nDisallow:';
  assert.equal(allows('/all/1.jpg', others), false);
  assert.equal(allows('/1.jpg', others), true);
  assert.equal(allows('/1.jpg', 'Disallow: /'), true);
  assert.equal(allows('/1.jpg', '<html>'), true);
});

test('the longest rule counts, and stars and ends are those of RFC 9309', () => {
  const of = (...rules: string[]): string => ['User-agent: *', ...rules].join('\r\n');
  assert.equal(allows('/a/b.jpg', of('Disallow: /a', 'Allow: /a/b')), true);
  assert.equal(allows('/a/b', of('Disallow: /a/b', 'Allow: /a/b')), true);
  assert.equal(allows('/x/1.png?q', of('Disallow: /*.png')), false);
  assert.equal(allows('/x/1.png?q', of('Disallow: /*.png$')), true);
  assert.equal(allows('/x/1.png', of('Disallow: /*.png$')), false);
  assert.equal(allows('/a', of('Disallow: /a$')), false);
  assert.equal(allows('/ab', of('Disallow: /a$')), true);
  assert.equal(allows('/a'.repeat(1000), of(`Disallow: ${'*a'.repeat(1000)}b`)), true);
});
