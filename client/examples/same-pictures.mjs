// Lists pictures of the application that are copies of each other.
//   SOSIA_KEY=… node same-pictures.mjs
import { Sosia } from '@sosia/client';

const {
  SOSIA_KEY: key,
  SOSIA_MODIFY_URL: modify = 'http://127.0.0.1:7789',
  SOSIA_QUERY_URL: query = 'http://127.0.0.1:8080',
} = process.env;
const sosia = new Sosia({ modify, query, key });

const seen = new Set();
for await (const { id } of sosia.images()) {
  if (seen.has(id)) continue;
  const { images } = await sosia.searchById(id);
  const copies = images.filter((image) => image.resultInfo?.decision === 'Clone').map((image) => image.id);
  for (const copy of copies) seen.add(copy);
  if (copies.length > 1) console.log(copies.join(' = '));
}
