// docs/api.md, errors.md, config.md and metrics.md, generated from the tables in the code. Part of `npm run docs`.
import { addressOf, alternativeOf, isRequired, portOf, resultInfos } from '../contract/dist/index.js';
import { applicationTypes, typeDefinitions } from '../engine/dist/src/index.js';
import { administration } from '../server/dist/administration/operations.js';
import { flagOf, settings, variableOf } from '../server/dist/config.js';
import { errorCauses } from '../server/dist/docs/error-causes.js';
import { appliesTo } from '../server/dist/docs/openapi.js';
import { errors } from '../server/dist/errors.js';
import { httpStatusOf } from '../server/dist/http/envelope.js';
import { limits } from '../server/dist/http/limits.js';
import { instruments } from '../server/dist/metrics/instruments.js';
import { operations } from '../server/dist/operations/operations.js';
import { fileNames } from '../server/dist/parameters/file.js';
import { review } from '../server/dist/review/operations.js';

export const referencePages = {
  api: apiPage,
  errors: errorsPage,
  config: configPage,
  metrics: metricsPage,
};

function apiPage() {
  return `# The interface

The service has two ports: MODIFY (7789) and QUERY (8080), see [config.md](config.md). [errors.md](errors.md) lists all codes.

## Addresses

    http://HOST:7789/api/v2.0/enginemodify/json/OPERATION
    http://HOST:8080/api/v2.0/enginequery/json/OPERATION

\`ltumodify\` and \`ltuquery\` are older names of the same families. \`/api/v2/\` and \`/v2/\` are equivalent to
\`/api/v2.0/\`. The segment \`json\` is optional, and repeated slashes are accepted. If both settings name the same port,
that port serves both families.

These addresses need no key:

- \`GET /readyz\` (or \`/ready\`) answers code 0 while the service accepts requests, and -1912 while it loads its pictures.
- \`GET /healthz\` answers code 0 while the process runs. Both have the field \`loading\` until all pictures are loaded.
- \`GET /metrics\` returns metrics for Prometheus, see [metrics.md](metrics.md).
- \`GET /openapi.json\` returns this page as OpenAPI 3.1, and \`GET /docs/api\` shows it in a browser.

## Parameters

- Every operation accepts GET and POST. Parameters may be in the query string, an urlencoded body, the text parts of a
  multipart body, or any mixture of these. The tables below show the usual method.
- Every request needs \`application_key\`. A missing, an unknown and a disabled key get the same answer.
- The name of a part marks it as a file: ${[...fileNames].map((name) => `\`${name}\``).join(', ')}. The filename and the type of a part are ignored.
- \`dna\` is accepted as bytes in a part, or as canonical base64 text anywhere. A space is read as \`+\`, because form decoding
  replaces a \`+\` by a space.
- An empty parameter counts as absent. Unknown parameters are ignored; \`warnings\` of the answer names those that no operation has.
- The key may come in the header \`Authorization: Bearer KEY\` instead.
- A body of type \`application/json\` is an object of parameters: texts, numbers, true and false, lists of these, and files as base64, at most
  ${count(limits.jsonBytes)} bytes and ${count(limits.jsonValues)} names and values. A body of a picture type (\`image/*\` or \`application/octet-stream\`) is the picture of the operation.
- With the header \`Prefer: http-status\` a failure has a real HTTP status, such as 404 for an unknown picture.
- \`cors_origins\` of the [settings](config.md) names web sites whose scripts may call operations.
- Repeat a list, such as \`keywords\` or \`where\`. Any other repeated parameter is refused, except for the same text
  once in the query string and once in the body.
- Text is UTF-8, percent-encoded in query strings and forms. Malformed text is refused, never repaired. Text is not
  normalised: answers return the bytes of the request.

## Limits

${table(
  ['quantity', 'maximum'],
  [
    ['body of a request', `${count(limits.bodyBytes)} bytes`],
    ['request line and headers together', `${count(limits.headerBytes)} bytes; send longer lists of ids by POST`],
    ['parts of a multipart body, fields of a form', `${limits.parts}, ${count(limits.formFields)}`],
    ['time for headers, for a whole request', `${limits.headersTimeout / 1000} s, ${limits.requestTimeout / 1000} s`],
    ['a slow body', `at least ${count(limits.slowBytes)} bytes every ${limits.slowWindow / 1000} s`],
    [
      'time for an answer',
      `${limits.answerTimeout / 1000} s (more with longer waits, see [settings](config.md)), then \`OVERLOADED\`; the change may still have been made`,
    ],
    [
      'concurrent operations, in total',
      `${limits.operationsInFlight}, for one application as many as are left free; then \`OVERLOADED\``,
    ],
    ['concurrent bodies, in total', `${count(limits.bodyBytesInFlight)} bytes, then \`OVERLOADED\``],
    [
      'wrong keys from one address',
      `a burst of ${count(limits.wrongKeysAtOnce)}, ${limits.wrongKeysPerSecond} a second, then \`OVERLOADED\``,
    ],
  ],
)}
A change by GET is refused if the headers of the browser mark it as a request of another site or as a prefetch.

## Answers

An answer is one JSON object in ASCII with \`status\`: \`code\` (0 is success, negative is failure) and \`message\`. \`result_info\` is a
string, empty or JSON, see [result_info](#result_info). \`OVERLOADED\` and \`SHUTTING_DOWN\` are HTTP 503 with \`Retry-After\`: repeat the request
after that time. \`X-Request-Id\` identifies the request in the server's log.

## Operations

${operations.map((each) => operationSection(each, appliesTo(each))).join('\n')}
## Administration

Operations on applications and keys are at \`/api/v2.0/administration/json/OPERATION\` on the MODIFY port. \`application_key\` is an administrator's key, or the
key of an application with the scope \`administer\` for operations on this application. The first start shows an administrator's key once, on its terminal;
\`sosia admin key\` makes another one. Only digests of keys are stored.

${administration.map((each) => operationSection(each)).join('\n')}
## Review

Operations on duplicates, ignored pictures, counts of matches, and [saved searches](events.md) are at \`/api/v2.0/review/json/OPERATION\` on the MODIFY port. A comparison
in the background finds pictures that match (groups of duplicates) and pictures that are similar. Each is judged once; verdicts are stored
durably and are part of backups. Later comparisons and \`verdicts=1\` of searches respect them, see [ignoring.md](ignoring.md). A removed
picture is stored with its verdict until this is taken back or the application is deleted.

${review.map((each) => operationSection(each)).join('\n')}
${resultInfoSection()}`;
}

const columns = ['field', 'type', 'meaning'];

function operationSection(operation, types) {
  const { name, families, method, about, answer, parameters, scope } = operation;
  const rows = Object.entries(parameters.properties).map(([parameter, schema]) => [
    `\`${parameter}\``,
    sentAs(schema),
    neededAs(schema),
    schema.description,
  ]);
  return `### ${name}, ${families.map((family) => family.replace('engine', '').toUpperCase()).join(' and ')}

${about}

- Method: ${method}
- Scope of the key: ${scope ?? 'any'}${types === undefined ? '' : `\n- Applies to: ${types}`}

${rows.length > 0 ? table(['parameter', 'type', 'required', 'rule'], rows) : 'No parameters beside the key.\n'}
${answerSection(fieldRows(answer))}
\`\`\`sh
${curl(operation)}
\`\`\`
`;
}

/** Whether a request must have a parameter, in a few words. */
function neededAs(schema) {
  const others = [addressOf(schema), alternativeOf(schema)].filter((name) => name !== undefined);
  if (!isRequired(schema) && !alternativeOf(schema)) return 'no';
  return others.length > 0 ? `this or ${others.map((name) => `\`${name}\``).join(' or ')}` : 'yes';
}

function answerSection(rows) {
  return rows.length > 0
    ? `Beside \`status\` the answer has:\n\n${table(columns, rows)}`
    : 'The answer has `status` alone.\n';
}

/** The structures of result_info, each under the titles of its application types. */
function resultInfoSection() {
  const titlesOf = (schema) =>
    applicationTypes
      .filter((type) => resultInfos[type] === schema)
      .map((type) => typeDefinitions[type].traits.title)
      .join(' and ');
  const sections = [...new Set(Object.values(resultInfos))].flatMap((schema) =>
    schema ? [`### result_info of ${titlesOf(schema)}\n\n${table(columns, fieldRows(schema))}`] : [],
  );
  return `## result_info

The JSON in \`result_info\` is one object. It describes how a picture matches. Answers other than searches have an empty text, and so have
the types ${titlesOf(null)}.

${sections.join('\n')}`;
}

/** The type of a schema in a few words. */
function inWords({ type, items, properties, additionalProperties, anyOf }) {
  if (anyOf) return anyOf.map(inWords).join(' or ');
  if (items) return `list of ${inWords(items)}`;
  if (properties) return `object`;
  if (additionalProperties === true) return 'object';
  if (additionalProperties) return `object of ${inWords(additionalProperties)}`;
  return String(type);
}

/** The type of a parameter in the words of the interface. */
function sentAs(parameter) {
  const { form } = parameter;
  return form === 'file' || form === 'bytes' ? form : inWords(parameter);
}

/** The fields of an object, with those of nested objects. */
function fieldRows({ properties = {}, required = [] }, within = '') {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const type = inWords(schema) + (required.includes(name) ? '' : ', not always');
    const row = [`\`${within}${name}\``, type, schema.description ?? ''];
    return [row, ...fieldRows(schema.items ?? schema, `${within}${name}${schema.items ? '[].' : '.'}`)];
  });
}

function errorsPage() {
  const rows = Object.entries(errors)
    .sort(([, a], [, b]) => b.code - a.code)
    .map(([name, { code, message }]) => {
      return [code, httpStatusOf(name), `\`${name}\``, message.replace('{}', '…'), errorCauses[name]];
    });
  return `# Errors

Every answer carries \`status.code\` and \`status.message\`. 0 is success. A failed operation is **HTTP 200 with a negative
code**. Other HTTP statuses concern the transport, and carry the status object too. The dots of a message stand for
what was expected or found, mostly both.

Each band of codes has its subject:

- -1xxx the picture or the input: -10xx picture and DNA, -11xx key, -12xx and -14xx parameters, -15xx the application
  type, -19xx the transport;
- -26xx queries;
- -27xx the cluster, see [Clusters](cluster.md);
- -28xx modifications.

${table(['code', 'HTTP', 'name', 'message', 'when'], rows)}`;
}

function configPage() {
  const rows = Object.entries(settings).map(([name, setting]) => [
    `\`${name}\``,
    `\`${flagOf(name)} ${setting.argument}\``,
    `\`${variableOf(name)}\``,
    setting.fallback === '' ? 'none' : `\`${setting.fallback}\``,
    setting.about,
  ]);
  return `# Settings

Flags take precedence over environment variables, the settings file and the defaults, in this order. The settings file is
a JSON object with the names below; \`SOSIA_CONFIG\` contains its path. The start checks all settings and reports all faults together.

${table(['name', 'flag', 'variable', 'default', 'meaning'], rows)}`;
}

function metricsPage() {
  const rows = Object.values(instruments).map(({ kind, name, labels, about }) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(', ') || '-',
    about,
  ]);
  return `# Metrics

\`GET /metrics\` returns these metrics in Prometheus' text format, on the MODIFY port unless \`--metrics\` names another. They contain no key, no name and no id.
They are at most a second old.
The metrics of Node are included: \`process_resident_memory_bytes\`, \`process_cpu_seconds_total\`, \`process_open_fds\`, \`nodejs_heap_size_used_bytes\`,
\`nodejs_eventloop_lag_p99_seconds\`, \`nodejs_gc_duration_seconds\` and similar ones. deploy/grafana.json is a dashboard of all.

${table(['name', 'kind', 'labels', 'meaning'], rows)}
A histogram has \`_bucket\`, \`_sum\` and \`_count\`. Times are in seconds. [operating.md](operating.md) recommends alarms.
`;
}

function count(number) {
  return number.toLocaleString('en');
}

/** A table in Markdown. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

/**
 * An example of an operation as a line for the shell: the required parameters, and one picture for a picture or a DNA.
 */
function curl({ name, families, method, parameters }) {
  const [family] = families;
  const port = settings[`${portOf(family)}_port`].fallback;
  const shown = Object.entries(parameters.properties)
    .filter(([name, parameter]) => isRequired(parameter) || alternativeOf(parameter) || name === 'image_content')
    .map(([name, { examples }]) => [name, examples[0]]);
  const upload = shown.some(([, example]) => example.startsWith('@'));
  const option = upload ? '-F' : '--data-urlencode';
  const fields = [['application_key', '$KEY'], ...shown];
  const sent = fields.map(([name, example]) => `${option} "${name}=${example}"`).join(' ');
  const how = upload && method === 'POST' ? '' : upload ? `-X ${method} ` : method === 'GET' ? '-G ' : '';
  return `curl ${how}http://127.0.0.1:${port}/api/v2.0/${family}/json/${name} ${sent}`;
}
