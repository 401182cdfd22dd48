import type { Static, TObject, TProperties } from 'typebox';
import type { Parameters } from './parameters/parameter.ts';

/** The two families of operations, each with its port. */
export const families = ['enginemodify', 'enginequery'] as const;
export type Family = (typeof families)[number];

/** What the interface says of one operation. */
export interface Operation<
  Name extends string = string,
  Families extends readonly Family[] = readonly Family[],
  P extends Parameters = Parameters,
  A extends TProperties = TProperties,
> {
  readonly name: Name;
  readonly families: Families;
  /** The method the interface names. GET and POST are both accepted, with parameters in any place. */
  readonly method: 'GET' | 'POST';
  /** For people; the first sentence stands alone. */
  readonly about: string;
  /** All but application_key, which every operation has. */
  readonly parameters: TObject<P>;
  /** The fields beside the status. */
  readonly answer: TObject<A>;
  /** Whether it changes the reference pictures. */
  readonly changes: boolean;
  /** The message beside code 0. */
  readonly success: string;
  /** The fields beside a negative code, for clients that read them before the code. */
  readonly onFailure: object;
}

/** The checked values of parameters, as an operation receives them. */
export type Values<P extends Parameters> = Static<TObject<P>>;

/** The fields beside the status in the answer of an operation. */
export type Fields<O extends Operation> = Static<O['answer']>;

/** A failure may put null where the answer has an object. */
type OnFailure<A extends TProperties> = {
  readonly [Field in keyof Static<TObject<A>>]?: Static<TObject<A>>[Field] | null;
};

interface Definition<
  Name extends string,
  Families extends readonly Family[],
  P extends Parameters,
  A extends TProperties,
> {
  readonly name: Name;
  readonly families: Families;
  readonly method: 'GET' | 'POST';
  readonly about: string;
  readonly parameters: TObject<P>;
  readonly answer: TObject<A>;
  readonly changes?: boolean;
  readonly success?: string;
  readonly onFailure?: OnFailure<A>;
}

export function operation<
  const Name extends string,
  const Families extends readonly Family[],
  P extends Parameters,
  A extends TProperties,
>(definition: Definition<Name, Families, P, A>): Operation<Name, Families, P, A> {
  return { changes: false, success: 'No error', onFailure: {}, ...definition };
}
