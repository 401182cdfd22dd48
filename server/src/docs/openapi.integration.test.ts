import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { alternativeOf, imageId, isRequired } from '@sosia/contract';
import { applicationTypes, typeDefinitions } from '@sosia/engine';
import type { ApplicationType } from '@sosia/engine';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { administration } from '../administration/operations.ts';
import { review } from '../review/operations.ts';
import type { Operation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { canonicalPath, operationPath } from '../http/paths.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { formOf, photograph, startService } from '../service.test.kit.ts';

interface Schema {
  readonly [keyword: string]: any;
}

interface Work {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { readonly schema: Schema } } }>
  >;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<string, { readonly servers: readonly any[]; readonly get?: Work; readonly post: Work }>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: { readonly key: { readonly name: string } };
  };
}

let service: Service;
let document: Document;
let pictures: Buffer[];
before(async () => {
  service = await startService();
  document = (await (await fetch(`http://127.0.0.1:${service.queryPort}/openapi.json`)).json()) as Document;
  pictures = await Promise.all([1, 2].map(photograph));
});
after(() => service.close());

test('the document is OpenAPI 3.1 by its own schema, and the same on both ports', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as any);
  assert.deepEqual(errors, undefined);
  assert.equal(valid, true);
  assert.match(document.openapi, /^3\.1\./);
  const other = await fetch(`http://127.0.0.1:${service.modifyPort}/openapi.json`);
  assert.equal(other.headers.get('content-type'), 'application/json');
  assert.deepEqual(await other.json(), document);
});

test('a document that breaks the rules is detected', async () => {
  const broken = structuredClone(document) as any;
  delete broken.paths['/api/v2.0/enginemodify/json/AddImage'].post.responses;
  broken.paths['/api/v2.0/enginemodify/json/AddImage'].post.respones = {};
  assert.equal((await new Validator().validate(broken)).valid, false);
});

test('every operation of every family occurs once, at an address that reaches it and a port that serves it', () => {
  const expected = [...operations, ...administration, ...review].flatMap(({ name, families }) =>
    families.map((family) => operationPath(family, name)),
  );
  const found = Object.entries(document.paths).map(([path, { servers }]) => {
    const port = path.includes('/enginequery/') ? service.queryPort : service.modifyPort;
    assert.equal(servers[0].variables.port.default, String(port));
    assert.equal(canonicalPath(path), path);
    return path;
  });
  assert.deepEqual(found.sort(), expected.sort());
  const ids = Object.values(document.paths).flatMap(({ get, post }) =>
    [get?.operationId ?? [], post.operationId].flat(),
  );
  assert.equal(new Set(ids).size, ids.length);
});

for (const operation of operations) {
  for (const type of applicationTypes.filter((each) => !operation.refuses(typeDefinitions[each].traits))) {
    for (const family of operation.families) {
      test(`${operation.name} of ${family} on ${type}, requested as documented, answers as documented`, async () => {
        const { get, post } = document.paths[`/api/v2.0/${family}/json/${operation.name}`]!;
        const forms = Object.keys(post.requestBody!.content).map((type) =>
          type.startsWith('multipart') ? 'multipart' : 'urlencoded',
        );
        const ways = [...(get ? (['get'] as const) : []), ...(forms as ('multipart' | 'urlencoded')[])];
        for (const way of ways) {
          const key = await applicationWith(type, operation);
          const work = way === 'get' ? get! : post;
          const values = { application_key: key, ...(await documented(operation, type, key, way)) };
          assertDocumented(operation, work, way, values);
          const response = await send(family, operation.name, way, values);
          const answer = (await response.json()) as any;
          assert.equal(answer.status.code, 0, JSON.stringify(answer.status));
          assertAnswers(work, response.status, answer);

          const refused = await send(family, operation.name, way, { ...values, application_key: 'wrong' });
          const failure = (await refused.json()) as any;
          assert.ok(failure.status.code < 0);
          assertAnswers(work, refused.status, failure);
        }
      });
    }
  }
}

test('an answer that lacks a field, has another type or an unknown code is detected', () => {
  const { post } = document.paths['/api/v2.0/enginemodify/json/AddImage']!;
  const message = 'Image added to the reference database';
  const refuses = (answer: object) => assert.throws(() => assertAnswers(post, 200, answer));
  assertAnswers(post, 200, { status: { code: 0, message }, task_id: 0 });
  refuses({ status: { code: 0, message } });
  refuses({ status: { code: 0, message }, task_id: '0' });
  refuses({ status: { code: 0, message }, task_id: 0, grade: 7 });
  refuses({ status: { code: -1, message }, task_id: 0 });
  refuses({ task_id: 0 });
});

/** An application with the data that the documented examples need. */
async function applicationWith(type: ApplicationType, operation: Operation): Promise<string> {
  const application_key = service.application(type);
  if (!typeDefinitions[type].traits.references) return application_key;
  const others = { 'bridge.jpg': pictures[1]!, ...(operation.name !== 'AddImage' && { 'harbour.jpg': pictures[0]! }) };
  for (const [image_id, image_content] of Object.entries(others)) {
    await service.modify('AddImage', { application_key, image_id, image_content, keywords: ['holiday'] });
  }
  return application_key;
}

/** The examples of required parameters, and of one of two alternative pictures. */
async function documented(
  { name, parameters }: Operation,
  type: ApplicationType,
  key: string,
  way: string,
): Promise<Values> {
  if (name === 'AddImage' && way === 'get') {
    const { dna } = await service.modify('GetDnaById', { application_key: key, image_id: 'bridge.jpg' });
    return { image_id: imageId.examples[0], dna: dna.dna };
  }

  const shown = Object.entries(parameters.properties).filter(
    ([param, parameter]) => isRequired(parameter) || alternativeOf(parameter) || param === 'image_content',
  );
  const values: Values = {};
  for (const [param, { examples }] of shown) {
    const [example] = examples;
    if (example === '@picture.dna') values[param] = await queryDna(type, key);
    else values[param] = example.startsWith('@') ? pictures[0]! : example;
  }
  return values;
}

/** As returned by GetDnaById; for types whose references are no queries, the DNA of the query side. */
async function queryDna(type: ApplicationType, application_key: string): Promise<string> {
  if (typeDefinitions[type].traits.symmetric) {
    return (await service.modify('GetDnaById', { application_key, image_id: 'harbour.jpg' })).dna.dna;
  }
  const { Decoder } = await import('../decode/decoder.ts');
  const pool = await Decoder.start({ children: 1, timeLimit: 120_000, waitLimit: 120_000 });
  try {
    return Buffer.from(await pool.describe(pictures[0]!, type, 'query')).toString('base64');
  } finally {
    await pool.close();
  }
}

function send(
  family: string,
  name: string,
  way: 'get' | 'urlencoded' | 'multipart',
  values: Values,
): Promise<Response> {
  const port = family === 'enginemodify' ? service.modifyPort : service.queryPort;
  const url = `http://127.0.0.1:${port}/api/v2.0/${family}/json/${name}`;
  if (way === 'multipart') return fetch(url, { method: 'POST', body: formOf(values) });
  const text = new URLSearchParams(
    Object.entries(values).map(([field, value]): [string, string] => [field, String(value)]),
  );
  return way === 'get' ? fetch(`${url}?${text}`) : fetch(url, { method: 'POST', body: text });
}

/** The request must match the document: every name, and every example value. */
function assertDocumented({ parameters }: Operation, work: Work, way: string, values: Values): void {
  const names = Object.keys(values);
  if (way === 'get') {
    for (const { name, required, example, schema } of work.parameters!) {
      if (required) assert.ok(names.includes(name), name);
      const value = values[name];
      if (example !== undefined) assert.deepEqual([example].flat().map(String), [String(value)]);
      if (value === undefined || schema['contentEncoding']) continue;
      assertValid(schema, schema['type'] === 'array' ? [value] : schema['type'] === 'integer' ? Number(value) : value);
    }
    const { key } = document.components.securitySchemes;
    assert.deepEqual(
      names.filter((name) => name !== key.name && !work.parameters!.some((each) => each.name === name)),
      [],
    );
    return;
  }
  const { schema } =
    work.requestBody!.content[way === 'multipart' ? 'multipart/form-data' : 'application/x-www-form-urlencoded']!;
  for (const name of [...names, ...schema['required']]) assert.ok(name in schema['properties'], name);
  for (const name of schema['required']) assert.ok(names.includes(name), name);
  assert.deepEqual(Object.keys(schema['properties']), ['application_key', ...Object.keys(parameters.properties)]);
}

function assertAnswers(work: Work, http: number, answer: object): void {
  const documented = work.responses[http];
  assert.ok(documented, `HTTP ${http} is not documented`);
  assertValid(documented.content['application/json'].schema, answer);
}

/** Formats and media types are only informative. */
function assertValid(schema: Schema, value: unknown): void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const { components } = document;
  const valid = ajv.compile({ ...schema, components });
  assert.ok(valid(value), `${JSON.stringify(value).slice(0, 300)}: ${ajv.errorsText(valid.errors)}`);
}
