// Writes the pictures from which training/src/decision.ts learns, all of the half that thresholds are chosen on.
//
//     node benchmarks/dist/claims/training-sets.js FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attacks } from '@sosia/testing/pictures/attacks';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { copies, learned, order } from '../views/views.ts';
import { picturesOf } from './kinds.ts';

/** A set of references and the queries that are searched among them. */
interface TrainingSet {
  readonly references: readonly string[];
  readonly queries: readonly Query[];
}

interface Query {
  readonly path: string;
  readonly kind: string;
  /** Numbers of the references that show. */
  readonly shown: readonly number[];
}

const HALF = 'chosen on';
/** Templates of a kind, photographs under each strong attack and under each usual one. */
const [TEMPLATES, STRONG, USUAL] = [20, 40, 12];
const REFERENCES = 300;

const folder = process.argv[2]!;
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'training-sets.json'), JSON.stringify([await lookAlikes(), await attacked()]));

async function lookAlikes(): Promise<TrainingSet> {
  const { references, queries } = await picturesOf(HALF, TEMPLATES, folder);
  return {
    references,
    queries: queries.map(({ path, kind, own }) => ({ path, kind, shown: own ? [references.indexOf(own)] : [] })),
  };
}

/** Photographs under all attacks, and pictures that are no references. */
async function attacked(): Promise<TrainingSet> {
  const photographs = order('photos');
  const references = [...photographs.slice(0, REFERENCES), ...order('photos_small').slice(0, REFERENCES / 2)];
  const others = photographs.slice(REFERENCES);
  const strong = await copies(references, others, STRONG, folder, learned);
  const queries: Query[] = strong.filter(({ half }) => half === 'chosen');
  const own = [...references.keys()].slice(0, REFERENCES).filter((image) => image % 2 === 0);
  for (const attack of attacks)
    for (const image of shuffled(randomFor('families', attack.name), own).slice(0, USUAL)) {
      const { path } = await attackedFile(references[image]!, attack, others, 0);
      queries.push({ path, kind: `usual ${attack.name}`, shown: [image] });
    }
  const negatives = ['posters', 'logos', 'cats_dogs'].flatMap((name) => order(name).slice(0, REFERENCES));
  for (const [i, path] of [...others, ...negatives].entries())
    if (i % 2 === 0) queries.push({ path, kind: 'other', shown: [] });
  return { references, queries: queries.map(({ path, kind, shown }) => ({ path, kind, shown })) };
}
