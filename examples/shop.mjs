// A shop finds products by a customer's photograph, in an application of the type Mobile Matching. Product pages are added once:
//   SOSIA_KEY=… node shop.mjs add SKU packshot.jpg
//   SOSIA_KEY=… node shop.mjs find photo.jpg
import { readFile } from 'node:fs/promises';
import { Sosia } from '@sosia/client';

const {
  SOSIA_KEY: key,
  SOSIA_MODIFY_URL: modify = 'http://127.0.0.1:7789',
  SOSIA_QUERY_URL: query = 'http://127.0.0.1:8080',
} = process.env;
const sosia = new Sosia({ modify, query, key });

const [command, ...words] = process.argv.slice(2);
if (command === 'add') {
  const [sku, file] = words;
  const { grade, reasons } = await sosia.add(sku, await readFile(file), ['product']);
  console.log(`${sku} has grade ${grade} of 4${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}`);
} else {
  const { images } = await sosia.search(await readFile(words[0]), { keywords: ['product'], count: 5 });
  if (images.length === 0) console.log('no product was recognized');
  for (const { id, score } of images) console.log(`${id}  ${score.toFixed(2)}`);
}
