// Writes docs/errors.md, docs/api.md, docs/config.md, docs/metrics.md, docs/cli.md and the types of the SDK from the tables in the code: `npm run docs`.
// With --check it writes nothing, names the files that are not what the tables say, and ends with 1 if there are any.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recipes, traits } from '../engine/dist/index.js';
import { flagOf, settings, variableOf } from '../server/dist/config.js';
import { errors } from '../server/dist/errors.js';
import { httpStatusOf } from '../server/dist/http/envelope.js';
import { instruments } from '../server/dist/metrics/instruments.js';
import { limits } from '../server/dist/http/limits.js';
import { operations } from '../server/dist/operations/operations.js';
import { fileNames } from '../server/dist/params/file.js';
import { inWords } from '../server/dist/params/schema.js';
import { cliPage } from './cli-page.mjs';
import { sdkTypes } from './sdk-types.mjs';

const pages = {
  'docs/errors.md': errorsPage(),
  'docs/api.md': apiPage(),
  'docs/config.md': configPage(),
  'docs/metrics.md': metricsPage(),
  'docs/cli.md': cliPage(),
  'client/src/operations.ts': sdkTypes(operations),
};
const folder = fileURLToPath(new URL('../', import.meta.url));
const check = process.argv.includes('--check');

for (const [name, page] of Object.entries(pages)) {
  if (read(join(folder, name)) === page) continue;
  console.error(check ? `${name} is stale: run npm run docs` : `${name} written`);
  if (check) process.exitCode = 1;
  else writeFileSync(join(folder, name), page);
}

function errorsPage() {
  const rows = Object.entries(errors)
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

function apiPage() {
  const missing = operations.filter(({ stands }) => !stands).map(({ name }) => `\`${name}\``);
  const standing = Object.keys(recipes).map((type) => traits[type].title);
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
string, empty or JSON. \`OVERLOADED\` and \`SHUTTING_DOWN\` come as HTTP 503 with \`Retry-After\`: the same request may be
sent again. \`X-Request-Id\` names the request in the server's log.

## Operations

Not available yet, beyond the check of their parameters: ${missing.join(', ') || 'none'}. Application types whose pictures can be added
and searched: ${standing.join(', ') || 'none yet'}.

${operations.map(operationSection).join('\n')}`;
}

function operationSection(operation) {
  const { name, families, method, about, gives, params, refuses, stands } = operation;
  const types = Object.values(traits);
  const allowed = types.filter((each) => !refuses(each)).map(({ title }) => title);
  const rows = Object.entries(params).map(([param, { type, required, rule }]) => [
    `\`${param}\``,
    type,
    required ? 'yes' : 'no',
    rule,
  ]);
  return `### ${name}, ${families.map((family) => family.replace('engine', '').toUpperCase()).join(' and ')}

${about}${stands ? '' : ' **Not available yet.**'}

- Method: ${method}
- Applies to: ${allowed.length === types.length ? 'all application types' : allowed.join(', ')}

${rows.length > 0 ? table(['parameter', 'type', 'required', 'rule'], rows) : 'No parameters beside the key.\n'}
Beside \`status\` the answer has:

${table(['field', 'type', 'what it is'], fieldRows(gives))}
${curl(operation)}`;
}

/** The fields of an answer, those of objects in it under their own names. */
function fieldRows(fields, within = '') {
  return Object.entries(fields).flatMap(([name, { schema, always }]) => {
    const row = [`\`${within}${name}\``, inWords(schema) + (always ? '' : ', not always'), schema.description];
    const inner = schema.properties ?? schema.items?.properties;
    if (!inner) return [row];
    const required = (schema.items ?? schema).required;
    const fields = Object.entries(inner).map(([key, its]) => [key, { schema: its, always: required.includes(key) }]);
    return [row, ...fieldRows(Object.fromEntries(fields), `${within}${name}${schema.items ? '[].' : '.'}`)];
  });
}

/** What is required, and one picture where a picture or a DNA is. */
function curl({ name, families, method, params }) {
  const [family] = families;
  const port = family === 'enginemodify' ? 7789 : 8080;
  const shown = Object.entries(params).filter(([param, { required }]) => required || param === 'image_content');
  const upload = shown.some(([, { example }]) => example.startsWith('@'));
  const option = upload ? '-F' : '--data-urlencode';
  const fields = [['application_key', { example: '$KEY' }], ...shown];
  const sent = fields.map(([param, { example }]) => `${option} "${param}=${example}"`).join(' ');
  const how = upload && method === 'POST' ? '' : upload ? `-X ${method} ` : method === 'GET' ? '-G ' : '';
  return `\`\`\`sh
curl ${how}http://127.0.0.1:${port}/api/v2.0/${family}/json/${name} ${sent}
\`\`\`
`;
}

function configPage() {
  const rows = Object.entries(settings).map(([name, { fallback, argument, about }]) => [
    `\`${name}\``,
    `\`${flagOf(name)} ${argument}\``,
    `\`${variableOf(name)}\``,
    `\`${fallback}\``,
    about,
  ]);
  return `# Settings

Flags come before environment variables, these before the settings file (a JSON object with the names below; its path is
in \`SOSIA_CONFIG\`), and all before the defaults. They are checked together at the start, and every fault is told at once.

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

\`GET /metrics\` tells these in Prometheus' text format, on the MODIFY port unless \`--metrics\` says otherwise. No key, no name and no id is in
them. Node's own come along: \`process_resident_memory_bytes\`, \`process_cpu_seconds_total\`, \`process_open_fds\`, \`nodejs_heap_size_used_bytes\`,
\`nodejs_eventloop_lag_p99_seconds\`, \`nodejs_gc_duration_seconds\` and their like. deploy/grafana.json is a dashboard of them.

${table(['name', 'kind', 'labels', 'what it tells'], rows)}
A histogram has \`_bucket\`, \`_sum\` and \`_count\`. Times are in seconds. What is worth an alarm is in [operating.md](operating.md).
`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

function count(number) {
  return number.toLocaleString('en');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
