import { basename } from 'node:path';
import type { Attack } from '@sosia/testing/pictures/attack';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attacks } from '@sosia/testing/pictures/attacks';
import { photographs, type Corpus } from '@sosia/testing/pictures/corpus';
import { describeAll } from '@sosia/testing/describing/describing';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { groupsOf, mean, median, quantile, share } from '@sosia/testing/statistics';
import { benchmark, countOf, ofPictures, missingCorpora, type Row } from '../harness/benchmark.ts';
import { partitionOfFiles } from '@sosia/testing/searching/partition';
import { alarmScore, search, type Found } from '@sosia/testing/searching/search';
import { judge, type Answer, type Outcome } from './outcome.ts';

const TYPE = 'media-matching';
const ALARMS = 0.01;
const nothing: Found = { shortlist: [], hits: [], candidatesMs: 0, verifyMs: 0 };

interface Trial {
  readonly path: string;
  /** The name of the picture that the query was made from. */
  readonly source: string;
  readonly attack: string | null;
  /** null for a picture that is not among the references. */
  readonly answer: Answer | null;
}

type Judged = Trial & Outcome & { readonly best: number };

export default benchmark({
  title: 'Media Matching: edited copies among photographs',
  kind: 'accuracy',
  about: 'References under 25 attacks. "Found": at rank 1, at 1 % false positives.',
  missing: missingCorpora('photos'),
  targets: {
    'found, mean of all attacks': '>= 0.95',
    'found, worst attack': '>= 0.85',
    'found after JPEG, resizing, grey, rotation': '>= 1',
    'negatives found': '<= 0.01',
    'originals at rank 1 with score 0': '>= 1',
    'false matches at rank 1': '<= 0',
  },
  options: { references: 300, pictures: 60, attacks: '', seed: 1, folder: 'photos' },
  size: ({ references, pictures }) => ({
    'found, mean': `${countOf(pictures * attacks.length)} queries`,
    found: `${pictures} queries an attack`,
    negatives: '400 queries',
    originals: `${references} queries`,
    'false matches': `${countOf(400 + references + pictures * attacks.length)} queries`,
    corners: `${countOf(pictures * attacks.length)} queries`,
  }),
  measures: ofPictures,
  async run({ references, pictures, attacks: part, seed, folder }) {
    const corpus = photographs(references, seed, folder)!;
    const partition = await partitionOfFiles(TYPE, corpus.references);
    const trials = await trialsOf(corpus, part, pictures, seed);
    const described = await describeAll(trials.map(({ path }) => ({ path, type: TYPE, side: 'query' })));
    const judged: Judged[] = [];
    for (const [i, { dna }] of described.entries()) {
      const found = dna ? await search(partition, dna) : nothing;
      judged.push({ ...trials[i]!, ...judge(found, trials[i]!.answer), best: found.hits[0]?.score ?? 1 });
    }
    return figuresOf(judged, (image) => basename(corpus.references[image]!));
  },
});

function figuresOf(judged: readonly Judged[], nameOf: (image: number) => string) {
  const none = judged.filter(({ answer }) => !answer).map(({ best }) => best);
  const alarm = alarmScore(none, ALARMS);
  const found = (outcomes: readonly Judged[]) => share(outcomes, ({ score }) => score !== null && score < alarm);
  const copies = judged.filter(({ answer, attack }) => answer && attack);
  const byAttack = groupsOf(copies, ({ attack }) => attack!);
  const shares = [...byAttack].map(([attack, outcomes]) => ({ attack, found: found(outcomes) }));
  const lowest = (of: typeof shares) => Math.min(...of.map((each) => each.found));
  const easy = shares.filter(({ attack }) => /jpeg|size|grey|rotate/.test(attack));
  const falseMatches = judged.filter(({ falseMatch }) => falseMatch);
  const originals = judged.filter(({ answer, attack }) => answer && !attack);
  return {
    figures: {
      'found, mean of all attacks': mean(shares.map((each) => each.found)),
      'found, worst attack': lowest(shares),
      'found after JPEG, resizing, grey, rotation': lowest(easy),
      'negatives found': share(none, (best) => best < alarm),
      'originals at rank 1 with score 0': share(originals, ({ score }) => score === 0),
      'false matches at rank 1': falseMatches.length,
      'corners off, median, % of the diagonal': median(errorsOf(copies)),
    },
    tables: {
      attacks: [...byAttack].map(([attack, outcomes]) => rowOf(attack, outcomes, found(outcomes))),
      'false matches': falseMatches.map(({ source, attack, falseMatch }) => ({
        query: `${source} (${attack ?? 'unchanged'})`,
        reference: nameOf(falseMatch!.image),
        decision: falseMatch!.info.decision,
        score: falseMatch!.score,
      })),
    },
  };
}

function rowOf(attack: string, outcomes: readonly Judged[], found: number): Row {
  const scores = outcomes.flatMap(({ score }) => score ?? []);
  const errors = errorsOf(outcomes);
  const count = (name: string) => outcomes.filter(({ decision }) => decision === name).length;
  return {
    attack,
    shortlist: share(outcomes, ({ shortlisted }) => shortlisted),
    'rank 1': share(outcomes, ({ score }) => score !== null),
    found,
    Clone: count('Clone'),
    Match: count('Match'),
    Similar: count('Similar'),
    none: count('none'),
    'score, median': median(scores),
    'score, worst': quantile(scores, 1),
    'corners off, median, %': median(errors),
    'corners off, 90 %, %': quantile(errors, 0.9),
  };
}

function errorsOf(outcomes: readonly Outcome[]): number[] {
  return outcomes.flatMap(({ cornerError }) => (cornerError === null ? [] : 100 * cornerError));
}

/** Some of the references under each attack; pictures that are not stored, unchanged and under three attacks; the originals. */
async function trialsOf({ references, negatives }: Corpus, part: string, pictures: number, seed: number) {
  const trials: Trial[] = [];
  const attack = async (path: string, attack: Attack, image: number | null): Promise<void> => {
    const file = await attackedFile(path, attack, negatives, seed);
    const answer = image === null ? null : { image, ...file };
    trials.push({ path: file.path, source: basename(path), attack: attack.name, answer });
  };
  const wanted = part.split(',');
  const sample = shuffled(randomFor('attacked', seed), [...references.keys()]).slice(0, pictures);
  for (const each of attacks.filter(({ name }) => wanted.some((one) => name.includes(one))))
    for (const image of sample) await attack(references[image]!, each, image);
  for (const path of negatives) {
    trials.push({ path, source: basename(path), attack: null, answer: null });
    const some = shuffled(randomFor('negative', basename(path), seed), attacks).slice(0, 3);
    for (const each of some) await attack(path, each, null);
  }
  references.forEach((path, image) => {
    const answer = { image, truth: [1, 0, 0, 0, 1, 0, 0, 0, 1], width: 1, height: 1 };
    trials.push({ path, source: basename(path), attack: null, answer });
  });
  return trials;
}
