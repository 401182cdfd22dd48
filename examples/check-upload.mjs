// A picture archive checks an upload against its archive: is it known already, and is it the whole picture or a part?
//   SOSIA_KEY=… node check-upload.mjs upload.jpg
import { readFile } from 'node:fs/promises';
import { Sosia, SosiaError } from '@sosia/client';

const {
  SOSIA_KEY: key,
  SOSIA_MODIFY_URL: modify = 'http://127.0.0.1:7789',
  SOSIA_QUERY_URL: query = 'http://127.0.0.1:8080',
} = process.env;
const sosia = new Sosia({ modify, query, key });

try {
  const { images } = await sosia.search(await readFile(process.argv[2]), { count: 3 });
  const [best] = images;
  const decision = best?.resultInfo?.decision;
  if (decision === 'Clone') console.log(`known: ${best.id}`);
  else if (decision === 'Match') console.log(`shows a part of ${best.id}, or more than it: compare before publishing`);
  else if (decision === 'Similar') console.log(`perhaps ${best.id}: a person decides`);
  else console.log('new');
} catch (error) {
  if (!(error instanceof SosiaError)) throw error;
  console.log(`not a usable picture: ${error.message}`);
}
