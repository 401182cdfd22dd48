import { readFileSync } from 'node:fs';
import type { Family, Operation as Described, Parameter } from '@sosia/contract';
import {
  alternativeOf,
  boxMatch,
  failed,
  image,
  isRequired,
  portOf,
  quadMatch,
  resultInfo,
  similarity,
  succeeded,
} from '@sosia/contract';
import { errors, type ErrorName } from '../errors.ts';
import { httpStatusOf } from '../http/envelope.ts';
import { administration } from '../administration/operations.ts';
import { review } from '../review/operations.ts';
import { titles, type Operation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { errorCauses } from './error-causes.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const description = `Finds the look-alikes of a picture.

Two ports: operations of the family enginemodify on the one for changes, those of enginequery on the other. The same operations answer under
\`/api/v2/\` and \`/v2/\` instead of \`/api/v2.0/\`, as \`ltumodify\` and \`ltuquery\` instead of \`enginemodify\` and \`enginequery\`, and without the
segment \`json\`.

Every operation takes GET and POST, and each parameter from the query string, an urlencoded body or a part of a multipart body, also mixed. Shown are
the ways that make sense. The key goes with every request: as a bearer token, or as the parameter \`application_key\`.

A failed operation is HTTP 200 with a negative \`status.code\`; other HTTP statuses are the transport's.`;

const key = {
  type: 'string',
  description: "the key of an application, or an administrator's",
  pattern: '^[A-Za-z0-9]{32}$',
};

const errorNames = Object.keys(errors) as ErrorName[];

/** Schemas that the document defines once and references by name. */
const shared = new Map<unknown, string>([
  [resultInfo, 'ResultInfo'],
  [boxMatch, 'BoxMatch'],
  [quadMatch, 'QuadMatch'],
  [similarity, 'Similarity'],
  [image, 'Image'],
]);

/** The addresses of the families. */
export interface Ports {
  readonly modifyPort: number;
  readonly queryPort: number;
}

/** The interface as an OpenAPI 3.1 document, generated from the tables of operations, parameters and errors. */
export function openapiDocument(ports: Ports): object {
  const all = [...operations, ...administration, ...review];
  const paths = all.flatMap((operation) =>
    operation.families.map((family) => [
      `/api/v2.0/${family}/json/${operation.name}`,
      pathItem(operation, family, ports),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sosia',
      version,
      description,
      contact: { name: 'Sosia' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [server(ports.queryPort, 'QUERY')],
    tags: [
      { name: 'MODIFY', description: 'Operations that change reference pictures, and related ones.' },
      { name: 'QUERY', description: 'Operations that read.' },
      { name: 'REVIEW', description: 'Operations on duplicates, similar pictures and false matches.' },
      { name: 'ADMINISTRATION', description: 'Operations on applications and keys.' },
    ],
    security: [{ bearer: [] }, { key: [] }],
    paths: Object.fromEntries(paths) as object,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: key.description },
        key: { type: 'apiKey', in: 'query', name: 'application_key', description: key.description },
      },
      schemas: {
        Failure: failed(errorNames.map((name) => ({ name, code: errors[name].code, when: errorCauses[name] }))),
        ...Object.fromEntries([...shared].map(([schema, name]) => [name, opened(schema)])),
        ...Object.fromEntries(all.map((each) => [answerName(each), opened(succeeded(each.success, each.answer))])),
      },
    },
  };
}

/** The name of an operation on a port: operations of one name may differ on both. */
function nameOn(family: Family, { name }: Described): string {
  const namesakes = operations.filter((each) => each.name === name).flatMap(({ families }) => families);
  if (namesakes.length <= 1) return name;
  return `${name}${portOf(family) === 'modify' ? 'Modify' : 'Query'}`;
}

function answerName(operation: Described): string {
  return `${nameOn(operation.families[0]!, operation)}Answer`;
}

/** A schema with references instead of shared schemas. */
function referred(schema: unknown): unknown {
  const name = shared.get(schema);
  return name ? { $ref: `#/components/schemas/${name}` } : opened(schema);
}

function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referred);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, referred(value)]));
}

function server(port: number, what: string): object {
  const variables = { host: { default: '127.0.0.1' }, port: { default: String(port) } };
  return { url: 'http://{host}:{port}', description: `the port of ${what} operations`, variables };
}

/** The application types of an operation in words. */
export function appliesTo({ refuses }: Pick<Operation, 'refuses'>): string {
  const allowed = titles(refuses);
  return allowed === titles(() => false) ? 'all application types' : allowed;
}

function pathItem(
  operation: Described & Partial<Pick<Operation, 'refuses'>>,
  family: Family,
  { modifyPort, queryPort }: Ports,
): object {
  const modify = portOf(family) === 'modify';
  const tag = family.replace('engine', '').toUpperCase();
  const { refuses, scope } = operation;
  const applies = refuses ? `\n\nApplies to ${appliesTo({ refuses })}.` : '';
  const common = {
    tags: [tag],
    summary: operation.about.split(/(?<=[.])\s/)[0],
    description: `${operation.about}${applies}\n\nScope of the key: ${scope ?? 'any'}.`,
    responses: responsesOf(operation),
  };
  const id = nameOn(family, operation);
  const parameters = Object.values(operation.parameters.properties);
  const uploads = parameters.some(isFile);
  const needsFile = parameters.some((each) => isFile(each) && (isRequired(each) || alternativeOf(each)));
  return {
    servers: [server(modify ? modifyPort : queryPort, modify ? 'MODIFY' : 'QUERY')],
    ...(!needsFile && {
      get: { ...common, operationId: `${id}ByGet`, parameters: queryParameters(operation) },
    }),
    post: { ...common, operationId: id, requestBody: { required: true, content: bodies(operation, uploads) } },
  };
}

/** Files occur in bodies alone. */
function queryParameters({ parameters, streams }: Described): object[] {
  const given = Object.entries(parameters.properties).filter(([, each]) => !isFile(each));
  return [
    ...given.map(([name, each]) => ({
      name,
      in: 'query',
      required: isRequired(each),
      description: each.description,
      schema: schemaOf(each),
      ...(each['type'] === 'array' && { style: 'form', explode: true }),
      ...exampleOf(each),
    })),
    ...(streams ? [lastEventId] : []),
  ];
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'replaces `after`',
  schema: { type: 'string' },
};

function bodies({ parameters }: Described, uploads: boolean): object {
  const rows = Object.entries(parameters.properties);
  const properties = rows.map(([name, each]) => [name, { description: each.description, ...schemaOf(each) }]);
  const schema = {
    type: 'object',
    properties: { application_key: key, ...(Object.fromEntries(properties) as object) },
    required: rows.filter(([, each]) => isRequired(each) && !isFile(each)).map(([name]) => name),
  };
  const lists = rows.filter(([, each]) => each['type'] === 'array').map(([name]) => name);
  const encoding = Object.fromEntries(lists.map((name) => [name, { style: 'form', explode: true }]));
  return {
    'multipart/form-data': { schema },
    ...(!uploads && {
      'application/x-www-form-urlencoded': { schema, ...(lists.length > 0 && { encoding }) },
    }),
  };
}

/** The schema of a parameter without its documentation, which is elsewhere in the document. */
function schemaOf({ form, description: _description, examples: _examples, ...schema }: Parameter): object {
  const { alias: _alias, or: _or, address: _address, ...rest } = schema as Partial<Parameter<'file'>>;
  return form === 'file' ? { type: 'string', format: 'binary', ...rest } : rest;
}

function exampleOf(parameter: Parameter): { example?: string | number | string[] } {
  const [example] = parameter.examples;
  if (!isRequired(parameter) || example.startsWith('@')) return {};
  const { type } = parameter;
  return { example: type === 'array' ? [example] : type === 'integer' ? Number(example) : example };
}

function isFile({ form }: Parameter): boolean {
  return form === 'file';
}

function responsesOf(operation: Described): object {
  const transport = errorNames.filter((name) => httpStatusOf(name) !== 200);
  const https = [...new Set(transport.map(httpStatusOf))].sort();
  return {
    200: {
      description: 'Done, or failed with a negative code.',
      headers: { 'X-Request-Id': { description: "names the request in the server's log", schema: { type: 'string' } } },
      content: {
        'application/json': { schema: { oneOf: [{ $ref: `#/components/schemas/${answerName(operation)}` }, failure] } },
        ...(operation.streams && { 'text/event-stream': { schema: { type: 'string' } } }),
      },
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
