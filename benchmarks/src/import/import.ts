import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sosia, startService } from '@sosia/testing/service/service';
import { benchmark, countOf } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { missingPictures, realPictures } from './pictures.ts';

/** The report of `sosia import --json`. */
interface Summary {
  readonly added: number;
  readonly failed: number;
  readonly seconds: number;
}

export default benchmark({
  title: 'Import',
  kind: 'speed',
  about: '`sosia import` of a folder, four at a time.',
  missing: missingPictures,
  targets: { 'pictures a second': '>= 25' },
  options: { pictures: 10_000, parallel: 4 },
  size: ({ pictures }) => `${countOf(pictures)} pictures`,
  measures: ['cli', 'client', 'engine', 'server'],
  run: ({ pictures, parallel }) =>
    inTemporaryFolder(async (home) => {
      for (const { name, path } of realPictures(pictures)) {
        const copy = join(home, 'pictures', name);
        mkdirSync(dirname(copy), { recursive: true });
        copyFileSync(path, copy, constants.COPYFILE_FICLONE);
      }
      const service = await startService({ data: join(home, 'data') });
      try {
        const words = ['import', 'pictures', '--parallel', String(parallel), '--json'];
        const env = service.environment(service.createApplication('media-matching'));
        const child = spawn(process.execPath, [sosia, ...words], {
          cwd: home,
          env,
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]); // 1 where a picture is too plain
        const { added, failed, seconds } = JSON.parse(out) as Summary;
        if (added + failed !== pictures) throw new Error(`expected ${pictures} pictures, got ${out}`);
        return {
          figures: { 'pictures a second': (added + failed) / seconds },
          tables: { run: [{ added, failed, seconds }] },
        };
      } finally {
        await service.stop();
      }
    }),
});
