import { type LocalKind, openLocalDna } from '../dna/local.ts';
import type { TermRule } from '../partition/terms.ts';
import { withInverted } from './features/inverted.ts';
import { lookUp, normOf, referenceTermsOf } from './index/terms.ts';
import { type Decide, LocalComparison } from './local-comparison.ts';
import type { PairOptions } from './match/match-pair.ts';
import type { QueryPlan } from './match/prepared-query.ts';
import { digestOf, referenceOf } from './match/reference.ts';
import { beginning, writeRecord } from './match/reference-record.ts';

/** Terms of a feature. */
interface TermsPerFeature {
  readonly reference: number;
  /** A multiple of three; see `termsOf`. */
  readonly query: number;
}

/** How a type with local features is searched in a search engine. @param kinds  of references and of queries */
export function localTerms(
  kinds: readonly LocalKind[],
  decide: Decide,
  options: PairOptions & QueryPlan,
  each: TermsPerFeature,
): TermRule {
  return {
    *reference(block) {
      const dna = openLocalDna(block, kinds);
      const searched = dna.kind === 'brand-drawing-reference' ? withInverted(dna) : dna;
      const looked = lookUp().reference(searched);
      const record = writeRecord(0, referenceOf(dna, options.guided, searched), looked, searched.keypoints);
      const end = beginning(looked.features);
      return {
        terms: yield* referenceTermsOf(searched, each.reference),
        norm: normOf(looked),
        beginning: record.slice(0, end),
        rest: record.slice(end),
      };
    },
    digestOf: (block) => digestOf(openLocalDna(block, kinds)),
    createComparison: () => new LocalComparison(kinds, decide, { ...options, terms: each.query }),
  };
}
