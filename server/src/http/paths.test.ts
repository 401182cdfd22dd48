import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../operations/operations.ts';
import { canonicalPath, operationPath, pathOf, queryOf } from './paths.ts';

const routes = new Map(
  operations.flatMap(({ name, families }) =>
    families.map((family) => [operationPath(family, name), `${family}/${name}`] as const),
  ),
);
const found = (target: string) => routes.get(canonicalPath(target));

test('every operation is found under every prefix and both names of its families, with and without json', () => {
  for (const { name, families } of operations) {
    for (const family of families) {
      for (const prefix of ['/api/v2.0/', '/api/v2/', '/v2/']) {
        for (const alias of [family, family.replace('engine', 'ltu')]) {
          assert.equal(found(`${prefix}${alias}/json/${name}`), `${family}/${name}`);
          assert.equal(found(`${prefix}${alias}/${name}?a=b`), `${family}/${name}`);
        }
      }
    }
  }
});

test('repeated slashes are accepted', () => {
  assert.equal(found('//api//v2.0///enginequery//json//SearchImageById//'), 'enginequery/SearchImageById');
});

test('the spelling of the published example is accepted', () => {
  assert.equal(found('/api/v2.0/enginequery/json/SearcImageByColors'), 'enginequery/SearchImageByColors');
});

test('a full address, as sent by proxies, is accepted', () => {
  assert.equal(found('http://host:8080/v2/ltuquery/json/GetImageById?image_id=a'), 'enginequery/GetImageById');
  assert.equal(pathOf('http://host?x'), '/');
});

test('other paths have no operation', () => {
  const others = [
    '/',
    '*',
    '',
    '/enginequery/SearchImageById',
    '/api/v3/enginequery/json/SearchImageById',
    '/api/v2.0/enginequery/json/AddImage',
    '/api/v2.0/enginemodify/json/SearchImageById',
    '/api/v2.0/enginequery/xml/SearchImageById',
    '/api/v2.0/enginequery/json/searchimagebyid',
    '/api/v2.0/enginequery/json/constructor',
    '/api/v2.0/enginequery/json/SearchImageById/more',
    '/api/v2.0/enginequery/json/%53earchImageById',
    '/x?/api/v2.0/enginequery/json/SearchImageById',
  ];
  for (const target of others) assert.equal(found(target), undefined, target);
});

test('a path that cannot be decoded has no route', () => {
  for (const target of ['/%', '/console/%zz', '/%ff', '*', 'x']) assert.equal(canonicalPath(target), '/', target);
  assert.equal(canonicalPath('/console/%41?%'), '/console/%41');
});

test('the query string begins after the first question mark, byte by byte', () => {
  assert.deepEqual(queryOf('/a?b=c?d'), Buffer.from('b=c?d'));
  assert.deepEqual(queryOf('/a?b=\xc3\xa9'), Buffer.from('b=é'));
  assert.deepEqual(queryOf('/a'), Buffer.from(''));
});
