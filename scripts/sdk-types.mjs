// Writes client/src/operations.ts, result-info.ts and error-codes.ts, the types of the SDK, from the contract and the table of errors. Part of `npm run docs`.
import * as contract from '../contract/dist/index.js';
import { errors } from '../server/dist/errors.js';
import { format, resolveConfig } from 'prettier';

const operations = Object.values(contract.operations);

/** What a parameter of each form is in TypeScript. */
const forms = {
  file: 'Uint8Array',
  bytes: 'Uint8Array',
  integer: 'number',
  'image id': 'string',
  'image ids': 'string',
  keywords: 'readonly string[]',
  colors: 'readonly string[]',
};

const { box, boxMatch, quad, quadMatch, similarity, resultInfo, correspondence, explanation, image } = contract;

/** Schemas that have a name in the SDK, and what the name means. */
const resultInfoTypes = [
  ['Box', box, 'A rectangle with upright sides.'],
  ['Quad', quad, 'A figure of four corners.'],
  ['BoxMatch', boxMatch, 'How a picture matches on Media Matching.'],
  ['QuadMatch', quadMatch, 'How a picture matches on Mobile Matching and Brand monitoring, see docs/scores.md.'],
  ['Similarity', similarity, 'How a picture matches on Image Similarity.'],
  [
    'ResultInfo',
    resultInfo,
    'How a picture matches, by type of the application. `category` parts the last of them from the others.',
  ],
];
const imageTypes = [
  [
    'Correspondence',
    correspondence,
    'A feature of either picture that agrees with the other about where the reference lies.',
  ],
  ['Explanation', explanation, 'What a match, or the lack of one, is based on.'],
  ['WireImage', image, 'A reference picture as an answer has it.'],
];
const names = new Map([...resultInfoTypes, ...imageTypes].map(([name, schema]) => [shapeOf(schema), name]));

/** The files of the SDK that are made, by path. */
export async function sdkTypes() {
  const families = (row) =>
    ['modify', 'query'].map((family) => {
      const its = operations.filter(({ families }) => families.includes(`engine${family}`));
      return `readonly ${family}: {\n${its.map(row).join('')}};\n`;
    });
  const codes = Object.entries(errors).map(([name, { code }]) => `  ${name}: ${code},\n`);
  return {
    'client/src/error-codes.ts': await formatted([
      `/** The codes of docs/errors.md by name. */`,
      `export const errorCodes = {\n${codes.join('')}} as const;\n`,
      `/** The name of an error. */\nexport type ErrorName = keyof typeof errorCodes;\n`,
    ]),
    'client/src/result-info.ts': await formatted(resultInfoTypes.map(declaration)),
    'client/src/operations.ts': await formatted([
      `import type { Box } from './result-info.ts';\n`,
      ...imageTypes.map(declaration),
      `/** Every operation of the interface by its port, with its parameters under their names on the wire. docs/api.md says what they mean. */`,
      `export interface Operations {\n${families(parametersOf).join('')}}\n`,
      `/** The fields beside the status in the answer of every operation. */`,
      `export interface Answers {\n${families(({ name, answer }) => `readonly ${name}: ${typeOf(answer)};\n`).join('')}}\n`,
    ]),
  };
}

async function formatted(parts) {
  const options = await resolveConfig(new URL('../package.json', import.meta.url));
  const text = `// Made by \`npm run docs\` from the tables and schemas of the interface.\n\n${parts.join('\n')}`;
  return format(text, { ...options, parser: 'typescript' });
}

function declaration([name, schema, about]) {
  const type = definitionOf(schema);
  return `/** ${about} */\nexport ${type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
}

function parametersOf({ name, parameters }) {
  const rows = Object.entries(parameters.properties).map(([parameter, schema]) => {
    if (!(schema.form in forms)) throw new Error(`${name}: no type for a parameter of form ${schema.form}`);
    const type = forms[schema.form];
    return contract.isRequired(schema)
      ? `readonly ${parameter}: ${type};`
      : `readonly ${parameter}?: ${type} | undefined;`;
  });
  return `readonly ${name}: {\n${rows.join('\n')}};\n`;
}

/** Schemas of one shape have one type, whatever their descriptions. */
function shapeOf(schema) {
  return JSON.stringify(schema, (keyword, value) =>
    keyword === 'description' && typeof value === 'string' ? undefined : value,
  );
}

function typeOf(schema) {
  return names.get(shapeOf(schema)) ?? definitionOf(schema);
}

/** JSON Schema as TypeScript; only what the contract uses. */
function definitionOf(schema) {
  const { type, items, minItems, maxItems, properties, required = [], additionalProperties, anyOf } = schema;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map(typeOf).join(' | ');
  if (type === 'integer') return 'number';
  if (type === 'number' || type === 'string') return type;
  if (items && minItems === 2 && maxItems === 2) return `readonly [${typeOf(items)}, ${typeOf(items)}]`;
  if (items) return `readonly ${bracketed(typeOf(items))}[]`;
  if (additionalProperties) return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`;
  if (!properties) throw new Error(`no type for ${JSON.stringify(schema)}`);
  const rows = Object.entries(properties).map(([name, each]) => {
    const about = each.description && `/** ${each.description} */\n`;
    return `${about ?? ''}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(each)};\n`;
  });
  return `{\n${rows.join('')}}`;
}

function bracketed(type) {
  return /^[\w]+$/.test(type) || type.startsWith('{') ? type : `(${type})`;
}
