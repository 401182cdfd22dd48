// Adds the pictures of a folder, eight at a time, and prints the reason of each failure.
//   SOSIA_KEY=… node add-folder.mjs pictures/
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Sosia } from '@sosia/client';

const {
  SOSIA_KEY: key,
  SOSIA_MODIFY_URL: modify = 'http://127.0.0.1:7789',
  SOSIA_QUERY_URL: query = 'http://127.0.0.1:8080',
} = process.env;
const sosia = new Sosia({ modify, query, key });

const folder = process.argv[2];
const names = await readdir(folder);
const items = names.map((name) => ({
  id: name.normalize('NFC'),
  read: async () => ({ picture: await readFile(join(folder, name)) }), // called only when the upload begins
}));

for await (const { item, outcome, error } of sosia.addAll(items, { parallel: 8 })) {
  if (outcome === 'failed') console.log(`${item.id}: ${error.message}`);
}
console.log(`${await sosia.count()} pictures`);
