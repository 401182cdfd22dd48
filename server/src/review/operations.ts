import { reviewOperations as contract } from '@sosia/contract';
import type { Fields, Operation as Schema, ReviewKind, Values, VerdictName } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Caller } from '../applications/applications.ts';
import { fail } from '../errors.ts';
import { readAll } from '../parameters/parameters.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import type { Review } from './review.ts';
import type { Reviews } from './reviews.ts';

type Contract = typeof contract;

/** An operation of the review with its implementation. */
export interface ReviewOperation extends Schema {
  /** Checks the parameters and does the work. Fails with a `Failure`. */
  run(caller: Caller & { readonly application: Application }, raw: RawParameters, reviews: Reviews): Promise<object>;
}

type Work<O extends Schema> = (
  review: Review,
  values: Values<O['parameters']['properties']>,
  key: Caller['key'],
) => Fields<O> | Promise<Fields<O>>;

const work: { readonly [Name in keyof Contract]: Work<Contract[Name]> } = {
  async startReview(review, { again }) {
    await review.start(again === 1);
    return { review: await review.progress() };
  },
  async stopReview(review) {
    await review.stop();
    return { review: await review.progress() };
  },
  getReview: async (review) => ({ review: await review.progress() }),
  async listGroups(review, { kind = 'duplicates', state = 'open', starting_index, nb_results }) {
    const page = { start: starting_index, count: nb_results };
    const { found, groups } = await review.list(kind as ReviewKind, state as 'open' | 'later', page);
    return { nb_results_found: found, groups };
  },
  async judge(review, { groups, verdict, keep }, key) {
    if (verdict === 'keep' && !key.scopes.includes('delete')) {
      throw fail(
        'SCOPE_REFUSED',
        `the verdict keep needs the scope delete, the key ${key.name} has ${key.scopes.join(', ')}`,
      );
    }
    return review.judge(listed(groups), verdict as VerdictName, key.name, keep);
  },
  undoVerdict: async (review, { verdicts }) => ({ restored: await review.undo(listed(verdicts)) }),
  listVerdicts(review, { starting_index, nb_results }) {
    const { found, verdicts } = review.verdicts({ start: starting_index, count: nb_results });
    return { nb_results_found: found, verdicts };
  },
  importVerdicts: async (review, { verdicts }, key) => ({
    imported: await review.importVerdicts(given(verdicts), key.name),
  }),
  async markWrong(review, { image_id, query_id }) {
    if (image_id === query_id) throw fail('BAD_PARAMETER', 'query_id: expected another picture than image_id');
    return { group: await review.markWrong([image_id, query_id]) };
  },
};

const names = Object.keys(contract) as (keyof Contract)[];

/** The operations of the review, in the order of the contract. */
export const review: readonly ReviewOperation[] = names.map(bound);

function bound<Name extends keyof Contract>(name: Name): ReviewOperation {
  const schema: Contract[Name] = contract[name];
  const run = work[name] as Work<Schema>;
  return {
    ...schema,
    run: async ({ application, key }, raw, reviews) => {
      const opened = await reviews.of(application);
      return run(
        opened,
        readAll<Contract[Name]['parameters']['properties']>(schema.parameters.properties, raw) as never,
        key,
      );
    },
  };
}

function listed(text: string): string[] {
  const ids = text.split(';').filter((id) => id !== '');
  if (ids.length > 0) return [...new Set(ids)];
  throw fail('BAD_PARAMETER', "expected ids separated by ';'");
}

const allowed = ['different', 'ignore', 'later', 'keep'];

/** Verdicts in JSON. Fails with BAD_PARAMETER. */
function given(text: string): { verdict: VerdictName; images: string[] }[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const isVerdict = (each: unknown): each is { verdict: VerdictName; images: string[] } => {
    const { verdict, images } = (each ?? {}) as { verdict?: unknown; images?: unknown };
    return (
      allowed.includes(verdict as string) &&
      Array.isArray(images) &&
      images.length > 1 &&
      images.length <= 1000 &&
      images.every((id) => typeof id === 'string' && id !== '' && !id.includes(';'))
    );
  };
  if (Array.isArray(value) && value.every(isVerdict)) return value;
  throw fail('BAD_PARAMETER', 'verdicts: expected JSON, a list of objects with verdict and images');
}
