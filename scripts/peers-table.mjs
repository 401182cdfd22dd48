// The table of README.md that compares Sosia with other programs, from benchmarks/results/peers.json. Part of `npm run docs`.
import { formatted } from './formatted.mjs';

const begin = '<!-- from benchmarks/results/peers.json by npm run docs -->';
/** Kinds whose figures are those of another row, nearly; the page of benchmarks has them. */
const similar = ['cropped to 50 %', 'rotated by 90 degrees'];
const end = '<!-- end of the table -->';

/** The page with the table of the last result between its marks. */
export async function withPeers(page, results) {
  const result = results.find(({ file }) => file === 'peers');
  if (!result) return page;
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`README.md lacks ${begin} or ${end}`);
  const made = `${before}${begin}\n\n${tableOf(result)}\n\n${end}${after}`;
  return formatted('README.md', made);
}

function tableOf({ tables, commit, options }) {
  const programs = Object.keys(tables.found[0]).filter((column) => column !== 'found');
  const row = (title, cells) => `| ${title} | ${cells.join(' | ')} |`;
  return [
    row('found and decided', programs),
    row(
      '---',
      programs.map(() => '--:'),
    ),
    ...tables.found
      .filter(({ found }) => !similar.includes(found))
      .map((each) =>
        row(
          each.found,
          programs.map((name) => each[name].toFixed(2)),
        ),
      ),
    ...tables.costs.map((each) =>
      row(
        each.figure,
        programs.map((name) => numberOf(each[name])),
      ),
    ),
    '',
    `${options.references} references, ${options.queries} queries a kind, ${options.strangers} that show no reference; measured at ${commit}.`,
  ].join('\n');
}

function numberOf(value) {
  return value < 10 && !Number.isInteger(value) ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}
