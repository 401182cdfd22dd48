import type { TArray, TImmutable, TObject, TProperties, TSchema, TSchemaOptions, TUnsafe } from '#typebox';
import Type from '#typebox';

/** What the schemas of answers are made of. The description is for people: docs/api.md and the SDK show it. */
export const string = (description: string) => Type.String({ description });

export const count = (description: string, minimum = 0) => Type.Integer({ minimum, description });

export const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

export const nullable = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Enum<[...Values]>([...values], { type: 'string', description });

/** A field that is only there where it is true. */
export const onlyTrue = (description: string) => Type.Optional(Type.Literal(true, { description }));

export function object<Fields extends TProperties>(description: string, fields: Fields): TObject<Fields> {
  return Type.Object(fields, { description });
}

/** One that is not always there. */
export function optionalObject<Fields extends TProperties>(description: string, fields: Fields) {
  return Type.Optional(object(description, fields));
}

/** A list that nobody changes. */
export function list<Item extends TSchema>(
  item: Item,
  description: string,
  options: TSchemaOptions = {},
): TImmutable<TArray<Item>> {
  return Type.Immutable<TArray<Item>>(Type.Array(item, { ...options, description }));
}

/** The answer of an operation that lists one page, and the empty one beside a failure. @param all  what is counted */
export function pageOf<Field extends string, Item extends TSchema>(field: Field, item: Item, all: string) {
  const lists = { [field]: list(item, 'one page of them') } as Record<Field, TImmutable<TArray<Item>>>;
  const none = { [field]: [] } as unknown as Record<Field, never[]>;
  return {
    answer: Type.Object({ nb_results_found: count(all), ...lists }),
    onFailure: { nb_results_found: 0, ...none },
  };
}

/** Two numbers. TypeBox's own tuples are of an older draft than the one OpenAPI 3.1 takes. */
export function pair(description?: string): TUnsafe<readonly [number, number]> {
  const options = {
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
    ...(description !== undefined && { description }),
  };
  return Type.Unsafe({ type: 'array', ...options });
}

/** Any number of fields with numbers, whose names are not known in advance. */
export function numbersByName(description: string): TUnsafe<Readonly<Record<string, number>>> {
  return Type.Unsafe({ type: 'object', additionalProperties: { type: 'number' }, description });
}
