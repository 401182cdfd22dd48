import { readFileSync } from 'node:fs';
import type { Traits } from '@sosia/engine';
import { traits } from '@sosia/engine';
import { errors } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { httpStatusOf } from '../http/envelope.ts';
import type { Family, Operation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import type { Param } from '../params/param.ts';
import { integer, objectOf, text } from '../params/schema.ts';
import type { Fields, Schema } from '../params/schema.ts';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

const description = `Finds the look-alikes of a picture.

Two ports: operations of the family enginemodify on the one for changes, those of enginequery on the other. The same operations answer under
\`/api/v2/\` and \`/v2/\` instead of \`/api/v2.0/\`, as \`ltumodify\` and \`ltuquery\` instead of \`enginemodify\` and \`enginequery\`, and without the
segment \`json\`.

Every operation takes GET and POST, and each parameter from the query string, an urlencoded body or a part of a multipart body, also mixed. Shown are
the ways that make sense. \`application_key\` goes with every request.

A failed operation is HTTP 200 with a negative \`status.code\`; other HTTP statuses are the transport's.`;

const key = text('the key of the application', { pattern: '^[A-Za-z0-9]{32}$' });

/** Where the families are to be found. */
export interface Ports {
  readonly modifyPort: number;
  readonly queryPort: number;
}

/** The interface as an OpenAPI 3.1 document, made from the tables of operations, parameters and errors. */
export function openapiDocument(ports: Ports): object {
  const paths = operations.flatMap((operation) =>
    operation.families.map((family) => [
      `/api/v2.0/${family}/json/${operation.name}`,
      pathItem(operation, family, ports),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'Sosia', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [server(ports.queryPort, 'QUERY')],
    tags: [
      { name: 'MODIFY', description: 'What changes the reference pictures, and what goes with it.' },
      { name: 'QUERY', description: 'What asks.' },
    ],
    paths: Object.fromEntries(paths),
    components: { schemas: { Failure: failureSchema() } },
  };
}

function server(port: number, what: string): object {
  const variables = { host: { default: '127.0.0.1' }, port: { default: String(port) } };
  return { url: 'http://{host}:{port}', description: `the port of ${what} operations`, variables };
}

function pathItem(operation: Operation, family: Family, { modifyPort, queryPort }: Ports): object {
  const modify = family === 'enginemodify';
  const tag = modify ? 'MODIFY' : 'QUERY';
  const all: Traits[] = Object.values(traits);
  const types = all.filter((each) => !operation.refuses(each)).map(({ title }) => title);
  const common = {
    tags: [tag],
    summary: operation.about.split(/(?<=[.])\s/)[0],
    description: `${operation.about}\n\nApplies to ${types.length === all.length ? 'all application types' : types.join(', ')}.`,
    responses: responsesOf(operation),
  };
  const namesakes = operations.filter(({ name }) => name === operation.name).flatMap(({ families }) => families);
  const id = namesakes.length > 1 ? `${operation.name}${modify ? 'Modify' : 'Query'}` : operation.name;
  const uploads = Object.values(operation.params).some(isFile);
  const needsFile = Object.values(operation.params).some((param) => isFile(param) && param.required);
  return {
    servers: [server(modify ? modifyPort : queryPort, tag)],
    ...(!needsFile && {
      get: { ...common, operationId: `${id}ByGet`, parameters: queryParameters(operation) },
    }),
    post: { ...common, operationId: id, requestBody: { required: true, content: bodies(operation, uploads) } },
  };
}

/** Files go in bodies alone. */
function queryParameters({ params }: Operation): object[] {
  const given = Object.entries(params).filter(([, param]) => !isFile(param));
  return [
    { name: 'application_key', in: 'query', required: true, description: key.schema.description, schema: key.schema },
    ...given.map(([name, param]) => ({
      name,
      in: 'query',
      required: param.required,
      description: param.rule,
      schema: param.schema,
      ...(param.schema['type'] === 'array' && { style: 'form', explode: true }),
      ...exampleOf(param),
    })),
  ];
}

function bodies({ params }: Operation, uploads: boolean): object {
  const rows = Object.entries(params);
  const properties = rows.map(([name, param]) => [name, { description: param.rule, ...param.schema }]);
  const schema = {
    type: 'object',
    properties: { application_key: key.schema, ...Object.fromEntries(properties) },
    required: ['application_key', ...rows.filter(([, { required }]) => required).map(([name]) => name)],
  };
  const lists = rows.filter(([, param]) => param.schema['type'] === 'array').map(([name]) => name);
  const encoding = Object.fromEntries(lists.map((name) => [name, { style: 'form', explode: true }]));
  return {
    'multipart/form-data': { schema },
    ...(!uploads && {
      'application/x-www-form-urlencoded': { schema, ...(lists.length > 0 && { encoding }) },
    }),
  };
}

function exampleOf(param: Param<unknown>): { example?: unknown } {
  const { example, required, schema } = param;
  if (!required || example.startsWith('@')) return {};
  const { type } = schema as { type?: string };
  return { example: type === 'array' ? [example] : type === 'integer' ? Number(example) : example };
}

function isFile({ type }: Param<unknown>): boolean {
  return type === 'file';
}

function responsesOf({ gives, success }: Operation): object {
  const status = objectOf({ code: integer('0', { const: 0 }), message: text('words', { const: success }) });
  const succeeded = objectOf({
    status: { schema: { ...status, description: 'success' }, always: true },
    ...gives,
  } as Fields);
  const transport = (Object.keys(errors) as ErrorName[]).filter((name) => httpStatusOf(name) !== 200);
  const https = [...new Set(transport.map(httpStatusOf))].sort();
  return {
    200: {
      description: 'Done, or failed with a negative code.',
      headers: { 'X-Request-Id': { description: "names the request in the server's log", schema: { type: 'string' } } },
      content: { 'application/json': { schema: { oneOf: [succeeded, failure] } } },
    },
    ...Object.fromEntries(
      https.map((http) => {
        const names = transport.filter((name) => httpStatusOf(name) === http);
        return [http, { description: names.join(', '), content: { 'application/json': { schema: failure } } }];
      }),
    ),
  };
}

const failure = { $ref: '#/components/schemas/Failure' };

/** What every failure has; the fields an operation adds to one are for old clients. */
function failureSchema(): Schema {
  const codes = (Object.entries(errors) as [string, { code: number; when: string }][]).map(
    ([name, { code, when }]) => ({
      const: code,
      title: name,
      description: when,
    }),
  );
  const code = { schema: { description: 'a negative number', oneOf: codes }, always: true };
  const status = objectOf({ code, message: text('what was expected and what came') } as Fields);
  return objectOf({ status: { schema: { ...status, description: 'what went wrong' }, always: true } });
}
