import { typeDefinitions } from '@sosia/engine';
import type {
  ApplicationType,
  ImageNumber,
  Partition,
  QueryTerms,
  ReferenceTerms,
  Steps,
  TermRule,
  Verified,
  VerifyOptions,
} from '@sosia/engine';

/** A picture with its DNA, and a number by which the verdict names it. */
export interface Held {
  readonly image: ImageNumber;
  readonly dna: Uint8Array;
}

/** What the index is searched by. */
export interface VoteQuery {
  /** Of exact copies. */
  readonly digest: string;
  readonly variants: readonly QueryTerms[];
}

/** What a thread computes for searches whose pictures are elsewhere. The first parameter of each method is the number of the application. */
export class Matcher {
  /** Empty partitions between two calls, by type. */
  readonly #idle = new Map<ApplicationType, Partition[]>();
  #numbers = 0;

  *document(_application: number, type: ApplicationType, dna: Uint8Array): Steps<ReferenceTerms & { digest: string }> {
    const rule = ruleOf(type);
    return { ...rule.reference(dna), digest: rule.digestOf(dna) };
  }

  *query(_application: number, type: ApplicationType, dna: Uint8Array): Steps<VoteQuery> {
    const rule = ruleOf(type);
    return { digest: rule.digestOf(dna), variants: yield* rule.query(dna) };
  }

  /** As `Partition.verify`, for pictures that come along. */
  *verify(
    _application: number,
    type: ApplicationType,
    query: Uint8Array,
    pictures: readonly Held[],
    options: VerifyOptions,
  ): Steps<Verified> {
    const partition = this.#idle.get(type)?.pop() ?? typeDefinitions[type].createPartition();
    // never used twice, as a partition requires
    const numbers = new Map(pictures.map(({ image }) => [++this.#numbers, image]));
    for (const [i, number] of [...numbers.keys()].entries()) {
      partition.add(number, pictures[i]!.dna);
      yield;
    }
    const { verdicts, effort, explanations } = yield* partition.verify(query, [...numbers.keys()], options);
    for (const number of numbers.keys()) yield* partition.remove(number);
    this.#idle.set(type, [...(this.#idle.get(type) ?? []), partition]);
    const named = <T extends { image: ImageNumber }>(each: T): T => ({ ...each, image: numbers.get(each.image)! });
    return {
      verdicts: verdicts.map(named),
      effort,
      ...(explanations && { explanations: explanations.map(named) }),
    };
  }
}

function ruleOf(type: ApplicationType): TermRule {
  const { terms } = typeDefinitions[type];
  if (!terms) throw new Error(`${type} has no terms`);
  return terms;
}
