import type { TArray, TImmutable, TSchema, TSchemaOptions, TUnsafe } from 'typebox';
import Type from 'typebox';

/** A list that nobody changes. */
export function list<Item extends TSchema>(item: Item, options: TSchemaOptions): TImmutable<TArray<Item>> {
  return Type.Immutable<TArray<Item>>(Type.Array(item, options));
}

/** Two numbers. TypeBox's own tuples are of an older draft than the one OpenAPI 3.1 takes. */
export function pair(options: TSchemaOptions): TUnsafe<readonly [number, number]> {
  return Type.Unsafe({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2, ...options });
}

/** Any number of fields with numbers, whose names are not known in advance. */
export function numbersByName(options: TSchemaOptions): TUnsafe<Readonly<Record<string, number>>> {
  return Type.Unsafe({ type: 'object', additionalProperties: { type: 'number' }, ...options });
}
