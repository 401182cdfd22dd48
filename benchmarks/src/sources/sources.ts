import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Sosia } from '@sosia/client';
import { credentials, startMoto, withoutMoto } from '@sosia/server/sources/moto.test.kit';
import { sosia, startService, type Service } from '@sosia/testing/service/service';
import { benchmark, countOf, ofTheService } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { missingPictures, realPictures } from '../import/pictures.ts';

const BUCKET = 'pictures';
const APPLICATION = { application: 'media-matching', source: 'bucket' };

export default benchmark({
  title: 'Sources',
  kind: 'speed',
  about: 'Server: `moto`.',
  missing: missingPictures ?? (withoutMoto === false ? null : withoutMoto),
  targets: { 'a bucket, minutes': '<= 10' },
  options: { pictures: 5000 },
  size: ({ pictures }) => `${countOf(pictures)} pictures`,
  measures: ofTheService,
  run: ({ pictures }) =>
    inTemporaryFolder(async (data) => {
      const moto = await startMoto(BUCKET);
      const service = await startService({ data, flags: ['--source-buckets', moto.endpoint] });
      try {
        for (const { name, path } of realPictures(pictures)) await moto.put(name, Uint8Array.from(readFileSync(path)));
        const { added, failed, seconds } = await followed(service, moto.endpoint);
        if (added + failed !== pictures) throw new Error(`${added} and ${failed} are not ${pictures} pictures`);
        return {
          figures: { 'a bucket, minutes': seconds / 60 },
          tables: { run: [{ added, failed, seconds }] },
        };
      } finally {
        await service.stop();
        await moto.close();
      }
    }),
});

/** Follows a bucket until its first pass has ended. */
async function followed(service: Service, endpoint: string) {
  service.createApplication('media-matching');
  const words = ['admin', 'key', '--data', service.data, '--json'];
  const made = execFileSync(process.execPath, [sosia, ...words], { encoding: 'utf8' });
  const { key } = JSON.parse(made) as { key: string };
  const administrator = new Sosia({ key, modify: service.modify, query: service.query });
  const place = { name: APPLICATION.source, kind: 'bucket', bucket: BUCKET, endpoint, ...credentials };
  const begin = performance.now();
  await administrator.ask('administration', 'CreateSource', { ...place, application: APPLICATION.application });
  for (;;) {
    await pause(1000);
    const { source } = await administrator.ask('administration', 'GetSource', APPLICATION);
    if (source.last_pass === null) continue;
    const { added, failed } = source.progress;
    return { added, failed, seconds: (performance.now() - begin) / 1000 };
  }
}
