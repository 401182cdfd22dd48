// A moderator's queue: every file of a folder is searched in an application of blocked pictures. Certain matches are held back, doubtful
// ones are listed for a person, and the rest passes. A result is one line of JSON.
//   SOSIA_KEY=… node moderation.mjs uploads/
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Sosia, sideBySide } from '@sosia/client';

const {
  SOSIA_KEY: key,
  SOSIA_MODIFY_URL: modify = 'http://127.0.0.1:7789',
  SOSIA_QUERY_URL: query = 'http://127.0.0.1:8080',
} = process.env;
const sosia = new Sosia({ modify, query, key });

const folder = process.argv[2];
const outcomes = { Clone: 'held', Match: 'held', Similar: 'review' };

async function judge(name) {
  try {
    const { images } = await sosia.search(await readFile(join(folder, name)), { count: 1 });
    const decision = images[0]?.resultInfo?.decision;
    return { name, outcome: outcomes[decision] ?? 'passed', ...(images[0] && { blocked: images[0].id, decision }) };
  } catch (error) {
    return { name, outcome: 'review', why: error.message }; // a file that cannot be checked never passes
  }
}

for await (const result of sideBySide((await readdir(folder)).sort(), 4, judge)) console.log(JSON.stringify(result));
