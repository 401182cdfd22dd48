import { isRequired, resultInfos } from '@sosia/contract';
import type { Parameter } from '@sosia/contract';
import { applicationTypes, traits } from '@sosia/engine';
import type { Traits } from '@sosia/engine';
import { flagOf, settings, variableOf } from '../config.ts';
import type { SettingName } from '../config.ts';
import { errors } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { httpStatusOf } from '../http/envelope.ts';
import { limits } from '../http/limits.ts';
import { instruments } from '../metrics/instruments.ts';
import type { Operation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { fileNames } from '../parameters/file.ts';
import { curl } from './curl.ts';
import { table } from './markdown.ts';

/** The pages of docs/ that are made from the tables in the code, in Markdown; the service shows them at /docs. */
export const referencePages = {
  api: apiPage,
  errors: errorsPage,
  config: configPage,
  metrics: metricsPage,
} satisfies Record<string, () => string>;

function apiPage(): string {
  return `# The interface

Two ports: MODIFY (7789) and QUERY (8080), see [config.md](config.md). Every code is in [errors.md](errors.md).

## Addresses

    http://HOST:7789/api/v2.0/enginemodify/json/OPERATION
    http://HOST:8080/api/v2.0/enginequery/json/OPERATION

\`ltumodify\` and \`ltuquery\` are the same families under their older names; \`/api/v2/\` and \`/v2/\` are taken for
\`/api/v2.0/\`; the segment \`json\` may be left out; slashes too many do no harm. With the same port for both families, one
port serves both.

Beside the operations, without a key: \`GET /readyz\` (\`/ready\` is the same) answers code 0 while the service takes requests,
\`GET /healthz\` as long as the process lives, and \`GET /metrics\` tells Prometheus how it does, see [metrics.md](metrics.md).
\`GET /openapi.json\` is this page for programs (OpenAPI 3.1), and \`GET /docs\` shows it in a browser.

## Parameters

- Every operation takes GET and POST, and its parameters from the query string, an urlencoded body, the text parts of a
  multipart body, or any mixture of these. The method in the tables below is the usual one.
- \`application_key\` goes with every request. A missing, an unknown and a disabled key are answered alike.
- What is a file is told by the name of the part: ${[...fileNames].map((name) => `\`${name}\``).join(', ')}. Filename and type of a part do not matter.
- \`dna\` comes as bytes in a part, or as canonical base64 text anywhere; a \`+\` that a form has turned into a space is
  understood.
- A parameter that is present but empty is not given. Parameters that an operation does not have are passed over.
- \`keywords\` and \`colors\` are repeated to give a list. Anything else given twice is refused, but for the very same text
  once in the query string and once in the body.
- Text is UTF-8, percent-encoded in query strings and forms. Malformed text is refused, never repaired, and no text is
  normalised: what comes back is what was sent.

## Limits

${table(
  ['what', 'most'],
  [
    ['body of a request', `${count(limits.bodyBytes)} bytes`],
    ['request line and headers together', `${count(limits.headerBytes)} bytes; longer lists of ids go into a POST`],
    ['parts of a multipart body, fields of a form', `${limits.parts}, ${count(limits.formFields)}`],
    ['time for headers, for a whole request', `${limits.headersTimeout / 1000} s, ${limits.requestTimeout / 1000} s`],
    ['a body that comes slowly', `at least ${count(limits.slowBytes)} bytes every ${limits.slowWindow / 1000} s`],
    [
      'time for an answer',
      `${limits.answerTimeout / 1000} s, then \`OVERLOADED\`; a change may have been made all the same`,
    ],
    [
      'operations in work, all together',
      `${limits.operationsInFlight}, of one application as many as are left free; then \`OVERLOADED\``,
    ],
    ['bodies in work, all together', `${count(limits.bodyBytesInFlight)} bytes, then \`OVERLOADED\``],
    [
      'wrong keys from one address',
      `${count(limits.wrongKeysAtOnce)} at once, ${limits.wrongKeysPerSecond} a second, then \`OVERLOADED\``,
    ],
  ],
)}
A change by GET that a browser says to make for another site's page, or ahead of time, is refused.

## Answers

One JSON object in ASCII, with \`status\`: \`code\` (0 is success, negative is failure) and \`message\`. \`result_info\` is a
string, empty or JSON, see [result_info](#result_info). \`OVERLOADED\` and \`SHUTTING_DOWN\` come as HTTP 503 with \`Retry-After\`: the same request may be
sent again. \`X-Request-Id\` names the request in the server's log.

## Operations

${operations.map(operationSection).join('\n')}
${resultInfoSection()}`;
}

const columns = ['field', 'type', 'what it is'];

function operationSection(operation: Operation): string {
  const { name, families, method, about, answer, parameters, refuses } = operation;
  const types: Traits[] = Object.values(traits);
  const allowed = types.filter((each) => !refuses(each)).map(({ title }) => title);
  const rows = Object.entries(parameters.properties).map(([parameter, schema]) => [
    `\`${parameter}\``,
    sentAs(schema),
    isRequired(schema) ? 'yes' : 'no',
    schema.description,
  ]);
  return `### ${name}, ${families.map((family) => family.replace('engine', '').toUpperCase()).join(' and ')}

${about}

- Method: ${method}
- Applies to: ${allowed.length === types.length ? 'all application types' : allowed.join(', ')}

${rows.length > 0 ? table(['parameter', 'type', 'required', 'rule'], rows) : 'No parameters beside the key.\n'}
Beside \`status\` the answer has:

${table(columns, fieldRows(answer as Schema))}
\`\`\`sh
${curl(operation)}
\`\`\`
`;
}

/** The structures of result_info, each under the titles of its application types. */
function resultInfoSection(): string {
  const titlesOf = (schema: Schema | null): string =>
    applicationTypes
      .filter((type) => resultInfos[type] === schema)
      .map((type) => traits[type].title)
      .join(' and ');
  const sections = [...new Set(Object.values(resultInfos) as (Schema | null)[])].flatMap((schema) =>
    schema ? [`### result_info of ${titlesOf(schema)}\n\n${table(columns, fieldRows(schema))}`] : [],
  );
  return `## result_info

The JSON in \`result_info\` is one object. It says how a picture of a search matches; in other answers the text is empty. The
types ${titlesOf(null)} have none.

${sections.join('\n')}`;
}

/** The part of JSON Schema that the pages show. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
}

/** What a schema allows, in a few words for people. */
function inWords({ type, items, properties, additionalProperties }: Schema): string {
  if (items) return `list of ${inWords(items)}`;
  if (properties) return `object`;
  if (additionalProperties) return `object of ${inWords(additionalProperties)}`;
  return String(type);
}

/** The type of a parameter in the words of the interface. */
function sentAs(parameter: Parameter): string {
  const { form } = parameter;
  return form === 'file' || form === 'bytes' ? form : inWords(parameter as Schema);
}

/** The fields of an object, those of objects in it under their own names. */
function fieldRows({ properties = {}, required = [] }: Schema, within = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const type = inWords(schema) + (required.includes(name) ? '' : ', not always');
    const row = [`\`${within}${name}\``, type, schema.description ?? ''];
    return [row, ...fieldRows(schema.items ?? schema, `${within}${name}${schema.items ? '[].' : '.'}`)];
  });
}

function errorsPage(): string {
  const rows = (Object.entries(errors) as [ErrorName, (typeof errors)[ErrorName]][])
    .sort(([, a], [, b]) => b.code - a.code)
    .map(([name, { code, message, when }]) => [
      code,
      httpStatusOf(name),
      `\`${name}\``,
      message.replace('{}', '…'),
      when,
    ]);
  return `# Errors

Every answer carries \`status.code\` and \`status.message\`. 0 is success. A failed operation is **HTTP 200 with a negative
code**; other HTTP statuses are the transport's, and carry the status object too. The dots of a message stand for what
was expected and what came. Bands: -1xxx the picture or the input (-10xx picture and DNA, -11xx key, -12xx and -14xx
parameters, -15xx what the application allows, -19xx the transport), -26xx queries, -28xx modifications.

${table(['code', 'HTTP', 'name', 'message', 'when'], rows)}`;
}

function configPage(): string {
  const rows = (Object.entries(settings) as [SettingName, (typeof settings)[SettingName]][]).map(([name, setting]) => [
    `\`${name}\``,
    `\`${flagOf(name)} ${setting.argument}\``,
    `\`${variableOf(name)}\``,
    `\`${setting.fallback}\``,
    setting.about,
  ]);
  return `# Settings

Flags come before environment variables, these before the settings file (a JSON object with the names below; its path is
in \`SOSIA_CONFIG\`), and all before the defaults. They are checked together at the start, and every fault is told at once.

${table(['name', 'flag', 'variable', 'default', 'meaning'], rows)}`;
}

function metricsPage(): string {
  const rows = Object.values(instruments).map(({ kind, name, labels, about }) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(', ') || '-',
    about,
  ]);
  return `# Metrics

\`GET /metrics\` tells these in Prometheus' text format, on the MODIFY port unless \`--metrics\` says otherwise. No key, no name and no id is in
them. Node's own come along: \`process_resident_memory_bytes\`, \`process_cpu_seconds_total\`, \`process_open_fds\`, \`nodejs_heap_size_used_bytes\`,
\`nodejs_eventloop_lag_p99_seconds\`, \`nodejs_gc_duration_seconds\` and their like. deploy/grafana.json is a dashboard of them.

${table(['name', 'kind', 'labels', 'what it tells'], rows)}
A histogram has \`_bucket\`, \`_sum\` and \`_count\`. Times are in seconds. What is worth an alarm is in [operating.md](operating.md).
`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
