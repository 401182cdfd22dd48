import { typeDefinitions } from '@sosia/engine';
import type {
  ApplicationType,
  RecordComparison,
  ReferenceTerms,
  Steps,
  StoredReference,
  TermRule,
  Verified,
  VerifyOptions,
  VotedReferences,
} from '@sosia/engine';

/** What the index is searched by. */
export interface TermQuery {
  /** Of exact copies. */
  readonly digest: string;
  /** The terms in each variant. */
  readonly variants: readonly Uint32Array[];
}

/** What a thread computes for searches whose pictures are elsewhere. The first parameter of each method is the number of the application. */
export class Matcher {
  /** With the last queries. */
  readonly #comparisons = new Map<ApplicationType, RecordComparison>();

  *document(_application: number, type: ApplicationType, dna: Uint8Array): Steps<ReferenceTerms & { digest: string }> {
    const rule = ruleOf(type);
    return { ...(yield* rule.reference(dna)), digest: rule.digestOf(dna) };
  }

  *query(_application: number, type: ApplicationType, dna: Uint8Array): Steps<TermQuery> {
    return { digest: ruleOf(type).digestOf(dna), variants: yield* this.#comparison(type).terms(dna) };
  }

  votes(
    _application: number,
    type: ApplicationType,
    query: Uint8Array,
    references: VotedReferences,
  ): Steps<Float64Array> {
    return this.#comparison(type).votes(query, references);
  }

  verify(
    _application: number,
    type: ApplicationType,
    query: Uint8Array,
    references: readonly StoredReference[],
    options: VerifyOptions,
  ): Steps<Verified> {
    return this.#comparison(type).verify(query, references, options);
  }

  #comparison(type: ApplicationType): RecordComparison {
    const known = this.#comparisons.get(type) ?? ruleOf(type).createComparison();
    this.#comparisons.set(type, known);
    return known;
  }
}

function ruleOf(type: ApplicationType): TermRule {
  const { terms } = typeDefinitions[type];
  if (!terms) throw new Error(`${type} has no terms`);
  return terms;
}
