// The figures of docs/guarantees.md. `npm run system-test -- NAME --record` writes system-tests/results/NAME.json, and `npm run docs` puts its
// figures into the row of the test. Every cell with figures of system tests ends with their commit, and with a mark where they are old.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../system-tests/results/', import.meta.url));
/** What the promises rest on. */
const measured = ['cli', 'client', 'engine', 'server'];

/** @param record  name, date, commit, seconds and figures of a system test that passed */
export function writeRecord(record) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${record.name}.json`, `${JSON.stringify(record, null, 2)}\n`);
}

export function readRecords() {
  try {
    return readdirSync(folder).map((name) => JSON.parse(readFileSync(`${folder}${name}`, 'utf8')));
  } catch {
    return [];
  }
}

/** The page with the figures of the records, and with the age of all figures. @param ageOf  `recent`, `old` or `unknown` for a commit and paths */
export function withFigures(page, records, ageOf) {
  const left = new Map(records.map((record) => [record.name, record]));
  const rows = page.split('\n').map((line) => {
    const cells = line.split(/(?<!\\)\|/);
    if (cells.length !== 5) return line;
    const named = [...cells[2].matchAll(/`([a-z][a-z-]*)`/g)].map(([, name]) => name).filter((name) => left.has(name));
    if (named.length > 0) cells[3] = ` ${named.map((name) => textOf(left.get(name))).join(' ')} `;
    for (const name of named) left.delete(name); // further rows of the same test have figures of their own
    return cells.join('|');
  });
  const marks = { recent: '', old: ', **old**', unknown: ', age unknown' };
  return rows
    .join('\n')
    .replace(/ \(([0-9a-f]{7})(?:, [^()]*)?\) \|$/gm, (_, commit) => ` (${commit}${marks[ageOf(commit, measured)]}) |`);
}

function textOf({ name, date, commit, seconds, figures }) {
  const wordsOf = (key) => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const figure = ([key, value]) =>
    `${wordsOf(key)} ${typeof value === 'object' ? JSON.stringify(value) : value}`.replaceAll('|', '\\|');
  const shown = Object.entries(figures).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return `\`${name}\`, ${date}, ${seconds} s: ${shown.map(figure).join(', ')} (${commit})`;
}
