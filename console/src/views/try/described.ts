import type { Family } from '@sosia/contract';

/** A parameter as the OpenAPI document describes it. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly about: string;
  readonly kind: 'file' | 'list' | 'number' | 'choice' | 'text';
  readonly choices: readonly string[];
}

export interface Described {
  /** `FAMILY/NAME`, unique. */
  readonly id: string;
  readonly family: Family;
  readonly name: string;
  readonly about: string;
  readonly fields: readonly Field[];
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
}

interface Body {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

export interface Document {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly description: string;
          readonly requestBody: { readonly content: { readonly 'multipart/form-data': { readonly schema: Body } } };
        };
      }
    >
  >;
}

/** The operations of the document, in its order. */
export function operationsOf({ paths }: Document): Described[] {
  return Object.entries(paths).flatMap(([path, { post }]) => {
    const [, family, name] = /^\/api\/v2\.0\/(\w+)\/json\/(\w+)$/.exec(path) ?? [];
    if (!family || !name) return [];
    const { properties, required } = post.requestBody.content['multipart/form-data'].schema;
    const fields = Object.entries(properties)
      .filter(([each]) => each !== 'application_key')
      .map(([each, schema]) => fieldOf(each, schema, required.includes(each)));
    return [{ id: `${family}/${name}`, family: family as Family, name, about: post.description, fields }];
  });
}

function fieldOf(name: string, schema: Schema, required: boolean): Field {
  const { type, enum: choices = [], description: about = '', contentMediaType, contentEncoding } = schema;
  const kind =
    contentMediaType || contentEncoding
      ? 'file'
      : type === 'array'
        ? 'list'
        : type === 'integer' || type === 'number'
          ? 'number'
          : choices.length > 0
            ? 'choice'
            : 'text';
  return { name, required, about, kind, choices };
}
