// Answers the path of a data folder with what clients.ts left in it: contents by id, as the clients announce them.
import { openApplicationStore, openImageStore, verify } from '@sosia/server';
import { answerRequests } from '@sosia/testing/checker';
import { digestOf } from '../powercut/history.ts';

await answerRequests(async (folder: string) => {
  const contents: Record<string, string> = {};
  const report = (damage: object): void => void (contents['damage'] = JSON.stringify(damage));
  const applications = openApplicationStore(folder, report);
  for (const { number, defaults } of applications.list())
    contents[`application ${number}`] = `${defaults.nbResults} results`;
  applications.close();

  const store = await openImageStore(folder, report);
  for await (const batch of store.replay(1)) {
    for (const { id, keywords, dna } of batch) {
      const [digest] = keywords; // none for a picture that came as a file
      contents[id] = !digest || digest === digestOf(dna) ? keywords.join() : 'another DNA';
    }
  }
  await store.close();
  verify(folder).damages.forEach(report);
  return contents;
});
