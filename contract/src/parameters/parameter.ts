import Type, { type TOptional, type TUnsafe } from '#typebox';
import type { Condition, Metadata } from '../metadata.ts';

/** A colour that a request names, and the share of the picture that it should fill. */
export interface QueryColor {
  /** 0xrrggbb */
  readonly rgb: number;
  /** 0 to 100 per cent; null where the request leaves the share open. */
  readonly share: number | null;
}

/** The forms in which parameters are sent, each with the checked value that an operation receives. */
export interface Forms {
  /** A file, sent as a multipart part. */
  readonly file: Uint8Array;
  /** Bytes, sent as a multipart part or as base64 text. */
  readonly bytes: Uint8Array;
  readonly integer: number;
  readonly decimal: number;
  readonly text: string;
  /** Sent by repeating the name, or separated by commas. */
  readonly texts: readonly string[];
  readonly 'image id': string;
  /** Ids separated by `;`. */
  readonly 'image ids': readonly string[];
  /** Sent by repeating the name, each keyword once in the value. */
  readonly keywords: readonly string[];
  /** Sent by repeating the name. */
  readonly colors: readonly QueryColor[];
  /** Sent as JSON text. */
  readonly metadata: Metadata;
  /** Sent by repeating the name. */
  readonly conditions: readonly Condition[];
}

export type Form = keyof Forms;

/** JSON Schema of the parameter as it is sent, with its documentation. */
export interface Annotations {
  /** Range, form and default, for people. */
  readonly description: string;
  /** One value for the examples of the documentation; `@` before the name of a file. */
  readonly examples: readonly [string];
  readonly [keyword: string]: unknown;
}

/** What the service must know of a form to read it. */
interface Details {
  /** The last value that is accepted is `maximum`. */
  readonly integer: { readonly minimum: number; readonly maximum: number };
  readonly decimal: { readonly exclusiveMinimum: number; readonly maximum: number };
  readonly text: { readonly maxLength: number; readonly enum?: readonly string[] };
  /**
   * Another name under which clients send the same file, the parameter that a request may send in its place, and the one
   * with an address from which the service fetches the file: every picture has one.
   */
  readonly file: { readonly alias?: string; readonly or?: string; readonly address?: string };
}

type DetailsOf<F extends Form> = F extends keyof Details ? Details[F] : object;

/** A parameter of an operation. Its static type is the checked value; a parameter with a `default` may be left out. */
export type Parameter<F extends Form = Form> = TUnsafe<Forms[F]> & Annotations & DetailsOf<F> & { readonly form: F };

export type Parameters = Readonly<Record<string, Parameter>>;

export function parameter<F extends Form>(form: F, annotations: Annotations & DetailsOf<F>): Parameter<F> {
  return Type.Unsafe<Forms[F]>({ form, ...annotations }) as Parameter<F>;
}

/** The same parameter where a request may leave it out. */
export function optional<F extends Form>(each: Parameter<F>): TOptional<Parameter<F>> {
  return Type.Optional(each) as TOptional<Parameter<F>>;
}

/** The same parameters where a request may leave out each. */
export function optionals<P extends Parameters>(all: P): { readonly [Name in keyof P]: TOptional<P[Name]> } {
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, optional(each)])) as never;
}

export function isRequired(each: Parameter): boolean {
  return !Type.IsOptional(each) && !('default' in each);
}

/** The parameter with an address from which the service fetches this file. */
export function addressOf(each: Parameter): string | undefined {
  return each['address'] as string | undefined;
}

/** The parameter that may be sent in place of this one; exactly one of the two is required. */
export function alternativeOf(each: Parameter): string | undefined {
  return each['or'] as string | undefined;
}
