// Writes client/src/operations.ts, the parameters of every operation as types, from the table of operations. Part of `npm run docs`.

/** What a parameter of the table is in TypeScript; by the words that docs/api.md has for it. */
const types = {
  string: 'string',
  integer: 'number',
  file: 'Uint8Array',
  bytes: 'Uint8Array',
  'list of string': 'readonly string[]',
};

export function sdkTypes(operations) {
  const families = ['modify', 'query'].map((family) => {
    const its = operations.filter(({ families }) => families.includes(`engine${family}`));
    return `  readonly ${family}: {\n${its.map(operationType).join('')}  };\n`;
  });
  return `// Made from the table of operations by \`npm run docs\`.

/** Every operation of the interface by its port, with its parameters under their names on the wire. docs/api.md says what they mean. */
export interface Operations {
${families.join('')}}
`;
}

function operationType({ name, params }) {
  const rows = Object.entries(params).map(([param, { type, required }]) => {
    if (!(type in types)) throw new Error(`${name}: no type for a parameter of type ${type}`);
    return required ? `readonly ${param}: ${types[type]};` : `readonly ${param}?: ${types[type]} | undefined;`;
  });
  if (rows.length === 0) return `    readonly ${name}: {};\n`;
  return `    readonly ${name}: {\n${rows.map((row) => `      ${row}\n`).join('')}    };\n`;
}
