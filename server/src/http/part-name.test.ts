import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partName } from './part-name.ts';

const named = (headers: string): string | undefined => partName(Buffer.from(headers, 'latin1'));
const disposition = 'Content-Disposition: form-data';

test('the name of a part is its parameter, quoted or not, in any case and beside others', () => {
  for (const [parameters, name] of [
    ['; name="a b"', 'a b'],
    ['; name=a', 'a'],
    [';name=  a b ', 'ab'],
    ['; NAME="a"', 'a'],
    ['; filename="x"; name="a"', 'a'],
    ['; name="a"; filename="name=b"', 'a'],
    ['; name="a;b"', 'a;b'],
    ['; name="a\\"b\\\\c\\d"', 'a"b\\c\\d'],
    ['; name="a', 'a'],
    ['; name="a" x; y', 'a'],
    ['; name="a"; name="b"', 'b'],
    ['; name', undefined],
    ['; name=', ''],
    ['; other=a', undefined],
    ['', undefined],
  ] as const)
    assert.equal(named(`${disposition}${parameters}`), name, parameters);
  assert.equal(named('content-disposition:form-data;name=a'), 'a');
  assert.equal(named('Content-Disposition: attachment; name=a'), undefined);
  assert.equal(named('Content-Disposition: form-dataset; name=a'), undefined);
});

test('a name is UTF-8, and other bytes are refused', () => {
  assert.equal(partName(Buffer.from(`${disposition}; name="ä"`)), 'ä');
  assert.throws(() => named(`${disposition}; name="ä"`), { error: 'BAD_TEXT' });
});

test('the first header of the name counts, in lines that may be folded, up to one that is no header', () => {
  const own = `${disposition}; name=a`;
  for (const [headers, name] of [
    [`Content-Type: text/plain\r\n${own}`, 'a'],
    [`${own}\r\nContent-Disposition: form-data; name=b`, 'a'],
    [`${disposition};\r\n name=a`, 'a'],
    [`${disposition};\r\n \t name=a`, 'a'],
    [`\r\n \r\n${own}`, 'a'],
    [`no header\r\n${own}`, undefined],
    [`: empty\r\n${own}`, undefined],
    [`x: a\nb\r\n${own}`, undefined],
    [`x: a\rb\r\n${own}`, undefined],
    [`${own}\r\nno header`, 'a'],
    ['x: y', undefined],
    ['', undefined],
  ] as const)
    assert.equal(named(headers), name, JSON.stringify(headers));
});
