// Finds the originals of a picture, and prints the decision for each.
//   SOSIA_KEY=… node find-copies.mjs photo.jpg
import { readFile } from 'node:fs/promises';
import { Sosia, SosiaError } from '@sosia/client';

const {
  SOSIA_KEY: key,
  SOSIA_MODIFY_URL: modify = 'http://127.0.0.1:7789',
  SOSIA_QUERY_URL: query = 'http://127.0.0.1:8080',
} = process.env;
const sosia = new Sosia({ modify, query, key });

try {
  const { total, images } = await sosia.search(await readFile(process.argv[2]), { count: 5 });
  console.log(`${total} found`);
  for (const { id, score, resultInfo } of images) console.log(id, score, resultInfo?.decision ?? '');
} catch (error) {
  if (!(error instanceof SosiaError)) throw error;
  console.log(`refused with ${error.code}: ${error.message}`); // the codes are in docs/errors.md
}
