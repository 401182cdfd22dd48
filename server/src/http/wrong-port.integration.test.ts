import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { administration, families, operations, portOf, reviewOperations } from '@sosia/contract';
import type { Operation } from '@sosia/contract';
import { errors } from '../errors.ts';
import { type Service, startService } from '../service.test.kit.ts';

let service: Service;
before(async () => (service = await startService()));
after(() => service.close());

const all: readonly Operation[] = [operations, administration, reviewOperations].flatMap((table) =>
  Object.values<Operation>(table),
);

test('each operation, in each family and on each port: its answer, or where it is', async () => {
  const numbers = { modify: service.modifyPort, query: service.queryPort };
  let elsewhere = 0;
  for (const name of new Set(all.map((each) => each.name))) {
    const own = all.filter((each) => each.name === name).flatMap((each) => each.families);
    for (const family of [...families, 'nowhere']) {
      for (const port of ['modify', 'query'] as const) {
        const path = `/api/v2.0/${family}/json/${name}`;
        const answer = await fetch(`http://127.0.0.1:${numbers[port]}${path}`, { method: 'POST' });
        const { status } = (await answer.json()) as { status: { code: number; message: string } };
        const served = own.some((each) => each === family && portOf(each) === port);
        if (served) {
          assert.equal(status.code, errors.UNKNOWN_APPLICATION.code, `${port} ${path}: ${status.message}`);
          continue;
        }
        elsewhere++;
        assert.equal(status.code, errors.UNKNOWN_PATH.code, `${port} ${path}`);
        const [, url, there, number] =
          /; the operation is at (\S+?)(?: on the (MODIFY|QUERY) port, which is (\d+))?$/.exec(status.message) ??
          assert.fail(`${port} ${path}: ${status.message}`);
        const at = there === undefined ? numbers[port] : Number(number);
        assert.equal(at, there === undefined ? at : numbers[there.toLowerCase() as 'modify' | 'query']);
        const right = await fetch(`http://127.0.0.1:${at}${url}`, { method: 'POST' });
        assert.equal(
          ((await right.json()) as { status: { code: number } }).status.code,
          errors.UNKNOWN_APPLICATION.code,
          status.message,
        );
        assert.equal(url!.split('/').at(-1), name);
      }
    }
  }
  assert.ok(elsewhere > 100, `${elsewhere} wrong places`);
});

test('the place of a misspelt operation is named, too', async () => {
  const url = `http://127.0.0.1:${service.modifyPort}/api/v2.0/enginemodify/json/searchimagebydn`;
  const { status } = (await (await fetch(url)).json()) as { status: { message: string } };
  const there = `/api/v2.0/enginequery/json/SearchImageByDna on the QUERY port, which is ${service.queryPort}`;
  assert.ok(status.message.endsWith(`; did you mean SearchImageByDna? It is at ${there}`), status.message);
});

test('a path that is near no operation gets no hint', async () => {
  for (const path of ['/api/v2.0/enginequery/json/Nothing', '/GetDnaById']) {
    const answer = await fetch(`http://127.0.0.1:${service.modifyPort}${path}`);
    const { status } = (await answer.json()) as { status: { message: string } };
    assert.ok(status.message.endsWith(`"${path}"`), status.message);
  }
});
