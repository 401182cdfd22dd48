/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** A field of an answer. */
export interface Field {
  readonly schema: Schema & { readonly description: string };
  /** False where some answers go without it. */
  readonly always: boolean;
}

/** The fields of an answer, or of an object in one. */
export type Fields = Readonly<Record<string, Field>>;

export function integer(description: string, bounds: Schema = {}): Field {
  return { schema: { type: 'integer', description, ...bounds }, always: true };
}

export function number(description: string, bounds: Schema = {}): Field {
  return { schema: { type: 'number', description, ...bounds }, always: true };
}

export function text(description: string, more: Schema = {}): Field {
  return { schema: { type: 'string', description, ...more }, always: true };
}

export function list(items: Schema, description: string): Field {
  return { schema: { type: 'array', items, description }, always: true };
}

/** Any number of fields whose names are not known before. */
export function mapTo(values: Schema, description: string): Field {
  return { schema: { type: 'object', additionalProperties: values, description }, always: true };
}

export function object(fields: Fields, description: string): Field {
  return { schema: { ...objectOf(fields), description }, always: true };
}

export function sometimes(field: Field): Field {
  return { ...field, always: false };
}

/** The schema of an object with these fields; others may come with later versions. */
export function objectOf(fields: Fields): Schema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { always }]) => always).map(([name]) => name),
  };
}

/** What a schema allows, in a few words for people. */
export function inWords(schema: Schema): string {
  const { type, items, properties, additionalProperties } = schema as Record<string, Schema | undefined>;
  if (items) return `list of ${inWords(items)}`;
  if (properties) return `object`;
  if (additionalProperties) return `object of ${inWords(additionalProperties)}`;
  return String(type);
}
