import type { AtOnce } from '@sosia/engine';
import { machine } from '@sosia/testing/machine';
import { mean, median, quantile } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';
import { attackNamed } from '@sosia/testing/pictures/attacks';
import type { Described } from '@sosia/testing/describing/describing';
import type { Judged } from './judging.ts';
import type { Outcome } from './outcome.ts';
import type { Found } from './searching.ts';

export interface Measured {
  readonly folder: string;
  readonly judged: Judged;
  readonly references: readonly Described[];
  readonly queries: readonly Described[];
  readonly found: readonly (Found | null)[];
  readonly partition: AtOnce;
  readonly name: (image: number) => string;
  readonly seed: number;
}

/** The whole measurement as markdown. */
export function report(measured: Measured): string {
  const { folder, judged, partition, seed } = measured;
  const asked = Math.max(0, ...[...judged.attacked.values()].map((outcomes) => outcomes.length));
  return [
    '## Quality: edited copies among photographs',
    machine(),
    `${partition.count} references of \`${folder}\`, ${asked} of them under each attack, ${judged.negatives.length} negative queries, ` +
      `seed ${seed}. "found": at rank 1 with a score below ${figure(judged.alarm, 4)}, which 1 % of the negatives get below. ` +
      '"score": median and worst. "corners": how far the corners of the projected frame are off, in % of the diagonal (median, 90 %).',
    attackTable(judged),
    targets(judged),
    negativeHits(judged),
    falseClaims(measured),
    costs(measured),
  ].join('\n\n');
}

function attackTable({ attacked, alarm }: Judged): string {
  const heads = ['attack', 'shortlist', 'rank 1', 'found', 'Clone', 'Match', 'Similar', 'none', 'score', 'corners'];
  const rows = [...attacked].map(([attack, outcomes]): Cell[] => {
    const errors = outcomes.flatMap(({ cornerError }) => cornerError ?? []).map((error) => error * 100);
    const scores = outcomes.flatMap(({ score }) => score ?? []);
    const decided = (decision: string) => outcomes.filter((outcome) => outcome.decision === decision).length;
    return [
      attack,
      figure(
        share(outcomes, ({ shortlisted }) => shortlisted),
        2,
      ),
      figure(
        share(outcomes, ({ score }) => score !== null),
        2,
      ),
      figure(foundShare(outcomes, alarm), 2),
      ...['Clone', 'Match', 'Similar', 'Different'].map(decided),
      `${figure(median(scores), 3)} · ${figure(quantile(scores, 1), 3)}`,
      `${figure(median(errors), 1)} · ${figure(quantile(errors, 0.9), 1)}`,
    ];
  });
  const all = [...attacked.values()].flat();
  const meanRow = (name: string, outcomes: readonly Outcome[]): Cell[] => [
    `**${name}**`,
    figure(
      share(outcomes, ({ shortlisted }) => shortlisted),
      3,
    ),
    figure(
      share(outcomes, ({ score }) => score !== null),
      3,
    ),
    `**${figure(foundShare(outcomes, alarm), 3)}**`,
    ...['', '', '', '', '', ''],
  ];
  const classic = [...attacked].filter(([name]) => attackNamed(name).classic).flatMap(([, outcomes]) => outcomes);
  return table(heads, [...rows, meanRow('mean of the first fourteen', classic), meanRow('mean of all', all)]);
}

function targets({ attacked, alarm, exact, negatives, falseClaims }: Judged): string {
  const shares = [...attacked].map(([name, outcomes]) => ({ name, found: foundShare(outcomes, alarm) }));
  const below = (floor: number, names: RegExp) =>
    shares
      .filter(({ name, found }) => names.test(name) && found < floor)
      .map(({ name, found }) => `${name} ${figure(found, 2)}`)
      .join('; ') || 'none';
  const average = mean(shares.map(({ found }) => found));
  const first = exact.filter(({ score }) => score === 0).length;
  const alarms = share(negatives, (score) => score < alarm);
  const easy = /jpeg|size|grey|rotate/;
  return table(
    ['target', 'measured', 'held'],
    [
      ['mean found >= 0.95', figure(average, 3), held(average >= 0.95)],
      ['no attack below 0.85', below(0.85, /./), held(below(0.85, /./) === 'none')],
      ['JPEG, resize, grey, rotation 1.00', `below: ${below(1, easy)}`, held(below(1, easy) === 'none')],
      ['negatives found <= 1 %', `${figure(alarms * 100, 2)} %`, held(alarms <= 0.01)],
      ['exact copy at rank 1 with score 0', `${first} of ${exact.length}`, held(first === exact.length)],
      ['wrong picture at rank 1 as Match or Clone: 0', falseClaims.length, held(falseClaims.length === 0)],
    ],
  );
}

function negativeHits({ negatives }: Judged): string {
  const scores = negatives.filter((score) => score < 1).sort((a, b) => a - b);
  const best = scores.slice(0, 10).map((score) => figure(score, 3));
  return `Negatives with any hit: ${scores.length} of ${negatives.length}. Their best scores: ${best.join(', ') || 'none'}.`;
}

function falseClaims({ judged, name }: Measured): string {
  if (judged.falseClaims.length === 0) return 'No false claims.';
  const rows = judged.falseClaims.map(({ trial, hit }): Cell[] => [
    `${trial.source} (${trial.attack ?? 'as it is'}${trial.answer ? '' : ', negative'})`,
    name(hit.image),
    hit.info.decision,
    figure(hit.score, 4),
  ]);
  return table(['false claim', 'claimed', 'decision', 'score'], rows);
}

function costs({ references, queries, found, partition }: Measured): string {
  const searched = found.filter((one) => one !== null);
  const ms = (values: readonly number[]): Cell[] => [figure(median(values), 1), figure(quantile(values, 0.95), 1)];
  const bytes = (described: readonly Described[]) => described.flatMap(({ dna }) => dna?.length ?? []);
  const plain = (described: readonly Described[]) => described.filter(({ dna }) => dna === null).length;
  const whole = ({ decodeMs, describeMs }: Described) => decodeMs + describeMs;
  return table(
    ['cost', 'median', '95 %'],
    [
      ['describe a reference, ms (decode included)', ...ms(references.map(whole))],
      ['… the engine alone', ...ms(references.map(({ describeMs }) => describeMs))],
      ['describe a query, ms (decode included)', ...ms(queries.map(whole))],
      ['… the engine alone', ...ms(queries.map(({ describeMs }) => describeMs))],
      ['candidates, ms', ...ms(searched.map(({ candidatesMs }) => candidatesMs))],
      ['verify, ms', ...ms(searched.map(({ verifyMs }) => verifyMs))],
      ['DNA of a reference, bytes', median(bytes(references)), quantile(bytes(references), 0.95)],
      ['DNA of a query, bytes', median(bytes(queries)), quantile(bytes(queries), 0.95)],
      ['index, bytes a picture', Math.round(partition.bytes / partition.count), ''],
      ['too plain to describe: references, queries', `${plain(references)}, ${plain(queries)}`, ''],
    ],
  );
}

function foundShare(outcomes: readonly Outcome[], alarm: number): number {
  return share(outcomes, ({ score }) => score !== null && score < alarm);
}

function share<T>(things: readonly T[], holds: (thing: T) => boolean): number {
  return things.filter(holds).length / things.length;
}

function held(holds: boolean): string {
  return holds ? 'yes' : '**no**';
}
