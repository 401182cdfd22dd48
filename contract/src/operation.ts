import type { Static, TObject, TProperties } from '#typebox';
import type { Parameters } from './parameters/parameter.ts';

/** The families of operations. The QUERY port serves `enginequery`, the MODIFY port all others. */
export const families = ['enginemodify', 'enginequery', 'administration', 'review'] as const;
export type Family = (typeof families)[number];

/** The name of the port that serves a family. */
export function portOf(family: Family): 'modify' | 'query' {
  return family === 'enginequery' ? 'query' : 'modify';
}

/** What a key may be allowed to do. */
export const scopes = ['search', 'add', 'delete', 'administer'] as const;
export type Scope = (typeof scopes)[number];

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
  /** Whether it changes anything: by POST unless it is a query, and where the definition says so. */
  readonly changes: boolean;
  /** The scope that the key of a request needs; null for any key. */
  readonly scope: Scope | null;
  /** Whether it answers with server-sent events, each an item of its list, where a client accepts them. */
  readonly streams: boolean;
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

interface Definition<Name extends string, P extends Parameters, A extends TProperties>
  extends
    Pick<Operation<Name, readonly Family[], P, A>, 'about' | 'parameters' | 'answer'>,
    Partial<Pick<Operation, 'method' | 'changes' | 'scope' | 'streams' | 'success'>> {
  /** As `named` gives it, unless it is another one. */
  readonly name?: Name;
  readonly onFailure?: OnFailure<A>;
}

/** Declares operations of some families. The method is GET, and the scope is `scope`, unless an operation names another one. */
function operationsOf<const Families extends readonly Family[]>(families: Families, scope: Scope = 'search') {
  return <P extends Parameters, A extends TProperties, const Name extends string = string>(
    definition: Definition<Name, P, A>,
  ): Operation<Name, Families, P, A> => {
    const { method = 'GET' } = definition;
    const changes = method === 'POST' && !families.includes('enginequery');
    const usual = { scope, streams: false, success: 'No error', onFailure: {}, name: '' as Name };
    return { families, method, changes, ...usual, ...definition };
  };
}

type Named<Key, O> =
  O extends Operation<infer Name, infer Families, infer P, infer A>
    ? Operation<string extends Name ? Capitalize<Key & string> : Name, Families, P, A>
    : never;

/** Operations whose names are their keys, with a capital letter. */
export function named<O extends Readonly<Record<string, object>>>(
  operations: O,
): { readonly [Key in keyof O]: Named<Key, O[Key]> } {
  const all = Object.entries(operations as Readonly<Record<string, Operation>>).map(([key, operation]) => {
    return [key, { ...operation, name: operation.name || key[0]!.toUpperCase() + key.slice(1) }];
  });
  return Object.fromEntries(all) as never;
}

export const modifyOperation = operationsOf(['enginemodify']);
export const queryOperation = operationsOf(['enginequery']);
export const pictureOperation = operationsOf(['enginemodify', 'enginequery']);
export const reviewOperation = operationsOf(['review']);
export const administrationOperation = operationsOf(['administration'], 'administer');
