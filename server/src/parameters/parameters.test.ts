import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Form, Forms, Parameter, Parameters } from '@sosia/contract';
import {
  administration,
  colors,
  dna,
  imageId,
  imageIds,
  integer,
  integerOr,
  keywords,
  optional,
  picture,
  pictureOr,
  pictureOrElse,
} from '@sosia/contract';
import fc from 'fast-check';
import { errors, Failure } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { RawParameters } from './raw-parameters.ts';
import { readAll } from './parameters.ts';

const list = optional(imageIds);

test('an empty parameter counts as absent', () => {
  assert.equal(read(integer({ minimum: 0, maximum: 9 }, 7, 'a number'), ['']), 7);
  assert.equal(read(list, ['']), undefined);
  assert.deepEqual(read(keywords, ['', 'a', '']), ['a']);
  assert.equal(
    errorOf(() => read(imageId, [''])),
    'MISSING_PARAMETER',
  );
  assert.equal(
    errorOf(() => read(imageId, [])),
    'MISSING_PARAMETER',
  );
});

test('a repeated scalar in one place is refused, even with the same value', () => {
  for (const second of ['1', '2']) {
    assert.equal(
      errorOf(() => read(optional(integerOr({ minimum: 0, maximum: 9 }, '')), ['1', second])),
      'REPEATED_PARAMETER',
    );
  }
});

test('the query string and the body may agree, but not contradict each other', () => {
  const raw = (body: string) => {
    const both = new RawParameters();
    both.addText('x', 'a', 'query');
    both.addText('x', body, 'body');
    return both;
  };
  assert.equal(valueOf(imageId, raw('a')), 'a');
  assert.equal(
    errorOf(() => valueOf(imageId, raw('b'))),
    'REPEATED_PARAMETER',
  );
  assert.deepEqual(valueOf(keywords, raw('b')), ['a', 'b']);
});

test('a text has as many characters as its limit, whatever they take in memory', () => {
  const { name } = administration.createApplication.parameters.properties;
  assert.equal(read(name, ['😀'.repeat(100)]), '😀'.repeat(100));
  assert.match(failureOf(() => read(name, ['😀'.repeat(101)])).message, /at most 100 characters, got 101$/);
});

test('an integer is decimal digits in its range, without other notations of JavaScript', () => {
  const param = integer({ minimum: 0, maximum: 1000 }, 10, 'a number');
  assert.equal(read(param, ['0']), 0);
  assert.equal(read(param, ['1000']), 1000);
  for (const text of [
    '-1',
    '1001',
    '1.5',
    '1e2',
    '0x10',
    ' 5',
    '5 ',
    '+5',
    'NaN',
    'Infinity',
    'ten',
    '٣',
    '9'.repeat(400),
  ]) {
    assert.equal(
      errorOf(() => read(param, [text])),
      'BAD_PARAMETER',
      text,
    );
  }
});

test('every id that the rule allows is returned unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (text) => {
      const id = text.normalize('NFC').replace(/[\p{Cc};]/gu, '-');
      fc.pre(Buffer.byteLength(id) <= 255);
      assert.equal(read(imageId, [id]), id);
      assert.deepEqual(read(list, [id]), [id]);
    }),
  );
});

test('names that JavaScript reserves are ordinary ids', () => {
  for (const id of [
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    'a b',
    '%41',
    'a+b',
    '🙂',
    '\ufffe',
    '\ufeff',
  ]) {
    assert.equal(read(imageId, [id]), id);
    assert.equal(read(imageId, [id], id), id);
  }
});

test('ids that break the rule are refused equally, alone and in a list', () => {
  const bad = ['\0', 'a\nb', '\x7f', '\x85', 'e\u0301', '\ud800', 'x'.repeat(256), 'é'.repeat(128)];
  for (const id of bad) {
    assert.equal(
      errorOf(() => read(imageId, [id])),
      'BAD_IMAGE_ID',
    );
    assert.equal(
      errorOf(() => read(list, [`good;${id}`])),
      'BAD_IMAGE_ID',
    );
  }
  assert.equal(
    errorOf(() => read(imageId, ['a;b'])),
    'BAD_IMAGE_ID',
  );
  assert.equal(read(imageId, ['x'.repeat(255)])?.length, 255);
});

test('ids_list counts ids: 10,000 pass, one more does not', () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => `photo ${i}.jpg`);
  assert.deepEqual(read(list, [ids.join(';')]), ids);
  assert.equal(
    errorOf(() => read(list, [[...ids, 'x'].join(';')])),
    'TOO_MANY_IDS',
  );
});

test('ids_list is read like a list that is split and then counted', () => {
  const piece = fc.constantFrom('', '', 'a', 'é', '漢', 'photo 1.jpg', '\u0007', 'e\u0301');
  const separated = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(';'));
  const simply = (text: string): unknown => {
    const ids = text.split(';').filter((id) => id !== '');
    if (ids.length === 0) return text === '' ? undefined : 'BAD_PARAMETER';
    return ids.every((id) => !/\u0007|\u0301/.test(id)) ? ids : 'BAD_IMAGE_ID';
  };
  fc.assert(
    fc.property(separated, (text) =>
      assert.deepEqual(
        outcome(() => read(list, [text])),
        simply(text),
      ),
    ),
  );
});

test('ids_list of semicolons alone, and with an id among them, is read', () => {
  const most = ';'.repeat(1_000_000);
  assert.equal(
    outcome(() => read(list, [most])),
    'BAD_PARAMETER',
  );
  assert.deepEqual(read(list, [`${most}a${most}b`]), ['a', 'b']);
  assert.match(failureOf(() => read(list, ['a;'.repeat(1_000_000)])).message, /got 1000000$/);
});

test('a DNA as text may end with line ends; with line ends inside it is refused, for any number of them', () => {
  const block = Buffer.from('block of bytes').toString('base64');
  assert.deepEqual(read(dna, [`${block}\r\n\n\r`]), Buffer.from('block of bytes'));
  for (const text of [`\n${block}`, '\n'.repeat(100_000), `${'\n'.repeat(100_000)}A`]) {
    assert.equal(
      outcome(() => read(dna, [text])),
      'BAD_DNA',
    );
  }
});

test('empty pieces of ids_list are ignored, but a list of nothing is refused', () => {
  assert.deepEqual(read(list, [';a;;b;']), ['a', 'b']);
  assert.equal(
    errorOf(() => read(list, [';;'])),
    'BAD_PARAMETER',
  );
});

test('keywords keep their order and lose their duplicates', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'A', 'sea side', 'é', 'x,y')), (texts) => {
      assert.deepEqual(read(keywords, texts), [...new Set(texts)]);
    }),
  );
});

test('each character that keywords may not have is refused with -1404', () => {
  for (const character of [';', '*', '(', ')', '[', ']', '\n', '\0', '\x9f', '\ud800']) {
    const failure = failureOf(() => read(keywords, ['good', `a${character}b`]));
    assert.equal(failure.code, errors.BAD_KEYWORD.code);
  }
  assert.equal(failureOf(() => read(keywords, [';*()[]'])).code, errors.BAD_KEYWORD.code);
  assert.deepEqual(read(keywords, ['a{b}<c>"d\'?&|\\/:.,!+-_=@#$%^~`']), ['a{b}<c>"d\'?&|\\/:.,!+-_=@#$%^~`']);
});

test('of more than 100 keywords only the first are checked', () => {
  const many = Array.from({ length: 101 }, (_, i) => `k${i}`);
  assert.equal(
    errorOf(() => read(keywords, [...many, ';'])),
    'TOO_MANY_KEYWORDS',
  );
  assert.equal(failureOf(() => read(keywords, [';', ...many])).code, errors.BAD_KEYWORD.code);
});

test('100 different keywords pass, and 101 do not', () => {
  const many = Array.from({ length: 100 }, (_, i) => `k${i}`);
  assert.equal(read(keywords, [...many, ...many])?.length, 100);
  assert.equal(
    errorOf(() => read(keywords, [...many, 'more'])),
    'TOO_MANY_KEYWORDS',
  );
});

test('a DNA from a part is in memory of its own, which cannot be resized', () => {
  const memory = new ArrayBuffer(40, { maxByteLength: 80 });
  const part = new Uint8Array(memory, 8, 16).fill(0xd7);
  const { buffer } = valueOf(dna, withFile('dna', part), 'dna')!;
  assert.deepEqual(new Uint8Array(buffer), new Uint8Array(16).fill(0xd7));
  assert.equal((buffer as ArrayBuffer).resizable, false);
});

test('a DNA is its bytes, or its base64 text as a part, as a form value or with spaces instead of plus signs', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (tail) => {
      const bytes = Buffer.from([0xd7, ...tail]);
      const text = bytes.toString('base64');
      assert.deepEqual(Buffer.from(valueOf(dna, withFile('dna', bytes), 'dna')!), bytes);
      assert.deepEqual(valueOf(dna, withFile('dna', Buffer.from(text)), 'dna'), bytes);
      assert.deepEqual(read(dna, [text]), bytes);
      assert.deepEqual(read(dna, [text.replaceAll('+', ' ')]), bytes);
    }),
    { examples: [[Uint8Array.of(0, 0x3e)]] }, // its text ends with a plus
  );
});

test('base64 that is not canonical is refused: every DNA has one text', () => {
  for (const text of ['AB==', 'QQ', 'QQ=', 'Q-_=', 'QQ==QQ==', '!!!!', 'QQ==\0']) {
    assert.equal(
      errorOf(() => read(dna, [text])),
      'BAD_DNA',
      text,
    );
  }
});

test('a picture is a part; text under its name is refused', () => {
  assert.equal(
    errorOf(() => read(picture, ['/9j/4AAQ'])),
    'BAD_PARAMETER',
  );
  assert.equal(
    errorOf(() => valueOf(picture, withFile('x', new Uint8Array()))),
    'NOT_A_PICTURE',
  );
  assert.equal(
    errorOf(() => valueOf(optional(picture), withFile('x', new Uint8Array()))),
    'NOT_A_PICTURE',
  );
  assert.equal(
    errorOf(() => valueOf(picture, new RawParameters())),
    'MISSING_PARAMETER',
  );
});

test('a file is accepted under either of its names, but not under both', () => {
  const param = pictureOr('ref_image');
  const content = Buffer.from('picture');
  assert.equal(valueOf(param, withFile('ref_image', content), 'reference_image'), content);
  const both = withFile('ref_image', content);
  both.addFile('reference_image', content);
  assert.equal(
    errorOf(() => valueOf(param, both, 'reference_image')),
    'REPEATED_PARAMETER',
  );
});

test('a file or what may be sent in its place is required, but not both', () => {
  const param = pictureOrElse('reference_id', 'reference_url', 'ref_image');
  const read = (raw: RawParameters) => valueOf(param, raw, 'reference_image');
  const content = Buffer.from('picture');
  assert.equal(read(withFile('ref_image', content)), content);
  const id = new RawParameters();
  id.addText('reference_id', 'a', 'query');
  assert.equal(read(id), undefined);
  id.addFile('ref_image', content);
  assert.equal(
    errorOf(() => read(id)),
    'REPEATED_PARAMETER',
  );
  assert.equal(
    errorOf(() => read(withFile('other', content))),
    'MISSING_PARAMETER',
  );
});

test('a colour is six hexadecimal digits or three, with or without #, and a share of 0 to 100 if it has one', () => {
  assert.deepEqual(read(colors, ['FFffff@50', '000000', 'a1b2c3@0', '#aBc', 'fff@7']), [
    { rgb: 0xffffff, share: 50 },
    { rgb: 0, share: null },
    { rgb: 0xa1b2c3, share: 0 },
    { rgb: 0xaabbcc, share: null },
    { rgb: 0xffffff, share: 7 },
  ]);
  for (const text of [
    'ffff',
    '##ffffff',
    'ffffff#',
    'ffffff@',
    'ffffff@101',
    'ffffff@-1',
    'ffffff@5.5',
    'gggggg',
    'ffffff@50@50',
  ]) {
    assert.equal(
      errorOf(() => read(colors, [text])),
      'BAD_PARAMETER',
      text,
    );
  }
});

test('messages of refused values stay short and printable', () => {
  const message = failureOf(() => read(imageId, [`\n${'🙂'.repeat(5000)}`])).message;
  assert.ok(message.length < 400, message);
  assert.doesNotMatch(message, /[\p{Cc}\p{Cs}]/u);
});

function read<F extends Form>(parameter: Parameter<F>, texts: string[], name = 'x'): Forms[F] | undefined {
  const raw = new RawParameters();
  for (const text of texts) raw.addText(name, text, 'query');
  return valueOf(parameter, raw, name);
}

function valueOf<F extends Form>(parameter: Parameter<F>, raw: RawParameters, name = 'x'): Forms[F] | undefined {
  const values: object = readAll<Parameters>({ [name]: parameter }, raw);
  return (values as Record<string, Forms[F]>)[name];
}

function withFile(name: string, content: Uint8Array): RawParameters {
  const raw = new RawParameters();
  raw.addFile(name, content);
  return raw;
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('expected a failure, got none');
}

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as Failure).error;
  }
}

function errorOf(work: () => unknown): ErrorName {
  return failureOf(work).error;
}
