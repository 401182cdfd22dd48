import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Section, WRITTEN_SECTION } from '@sosia/engine';
import { openFilesIn } from '../open-files.test.kit.ts';
import { type PartFile, type PartitionFile, partitionSections, PartitionFileWriter } from './partition-file.ts';
import { SectionFileError } from './section-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-partition-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const section = (name: string, text: string, part?: string): Section => ({ name, bytes: Buffer.from(text), part });
const written = (part: string): Section => section(WRITTEN_SECTION, '', part);
const content = [
  section('shape', 'two blocks'),
  section('lists', 'of the first', '0-1'),
  section('postings', 'of the first, ', '0-1'),
  section('postings', 'continued', '0-1'),
  section('lists', 'of the second', '1-1'),
  section('postings', '', '1-1'),
  section('lists', 'of the last'),
];

async function write(
  name: string,
  sections: readonly Section[],
  before: readonly PartFile[] = [],
): Promise<PartitionFile> {
  const writer = await PartitionFileWriter.create(join(folder, name), before);
  for (const each of sections) await writer.write(each);
  return writer.finish();
}

function read(file: PartitionFile): Section[] {
  return Array.from(partitionSections(file), ({ name, bytes, part }) => ({ name, bytes: Buffer.from(bytes), part }));
}

const texts = (sections: readonly Section[]) =>
  sections.map(({ name, bytes, part }) => [name, Buffer.from(bytes).toString(), part]);

test('each part has a file, and all sections are read in their order', async () => {
  const file = await write('first', content);
  assert.deepEqual(texts(read(file)), texts(content));
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('first')).sort(), ['first', 'first.part-0-1', 'first.part-1-1']); // prettier-ignore
  assert.deepEqual(
    file.parts.map(({ part, file }) => [part, file]),
    [['0-1', 'first.part-0-1'], ['1-1', 'first.part-1-1']], // prettier-ignore
  );
});

test('the parts are known at the end of the reading', async () => {
  const file = await write('known', content);
  const sections = partitionSections(file);
  let last = sections.next();
  while (!last.done) last = sections.next();
  assert.deepEqual(last.value, file.parts);
  assert.equal(file.parts.length, 2);
});

test('a part that is written already is read from its earlier file', async () => {
  const { parts } = await write('earlier', content);
  const changed = [section('lists', 'another second', '1-2'), section('postings', 'more', '1-2')];
  const later = await write('later', [content[0]!, written('0-1'), ...changed, content[6]!], parts);
  assert.deepEqual(texts(read(later)), texts([...content.slice(0, 4), ...changed, content[6]!]));
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('later')).sort(), ['later', 'later.part-1-2']); // prettier-ignore
  assert.equal(later.parts[0]!.file, 'earlier.part-0-1');
});

test('a part that is damaged, missing or that of another time is noticed', async () => {
  const file = await write('sound', content);
  const other = await write('other', content.map((each) => ({ ...each, bytes: Buffer.from(`${Buffer.from(each.bytes)}!`) }))); // prettier-ignore
  const path = join(folder, 'sound.part-0-1');
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 16;
    writeFileSync(path, damaged);
    assert.throws(() => read(file), SectionFileError, `byte ${at}`);
  }
  copyFileSync(join(folder, other.parts[0]!.file), path);
  assert.throws(() => read(file), /expected the checksum/);
  rmSync(path);
  assert.throws(() => read(file), SectionFileError);
});

test('a writing that is given up leaves no file, and earlier ones as they are', async () => {
  const { parts } = await write('kept', content);
  const writer = await PartitionFileWriter.create(join(folder, 'given-up'), parts);
  for (const each of [content[0]!, written('0-1'), section('lists', 'x', '1-2'), section('lists', 'y', '2-2')]) {
    await writer.write(each);
  }
  await writer.abandon();
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('given-up')), []); // prettier-ignore
  assert.ok(readdirSync(folder).includes('kept.part-0-1'));
});

test('the files are closed where the reading ends early', async () => {
  const file = await write('left', content);
  for (let read = 1; read <= content.length; read++) {
    const sections = partitionSections(file);
    for (let i = 0; i < read; i++) sections.next();
    sections.return([]);
    assert.deepEqual(openFilesIn(folder), [], `after ${read} sections`);
  }
});
