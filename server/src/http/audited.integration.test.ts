import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errors } from '../errors.ts';
import { type Service, startService } from '../service.test.kit.ts';

let service: Service;
before(async () => (service = await startService()));
after(() => service.close());

test('the audit log has the changes that requests make and the attempts that are refused, and no reading', async () => {
  const application_key = service.application('media-matching');
  await service.query('GetApplicationStatus', { application_key });
  await service.query('SearchImageByKeywords', { application_key, keywords: 'k' });
  await service.modify('DeleteImage', { application_key, image_id: 'missing' });
  await service.ask('administration', 'CreateApplication', { application_key, name: 'n', type: 'filter' });
  await service.ask('administration', 'SetKey', { application_key, key: 'first', name: 'renamed' });
  const { entries } = await service.administer('ListAudit', { nb_results: 100 });
  const found = entries.map(({ what, code }: { what: string; code: number }) => `${what} ${code}`);
  assert.deepEqual(found, ['SetKey 0', 'CreateApplication -1105']);
});

test("an administrator's key is of no application: operations on pictures refuse it as unknown", async () => {
  const application_key = service.administratorKey;
  const answers = [
    await service.query('GetApplicationStatus', { application_key }),
    await service.modify('DeleteImage', { application_key, image_id: 'a' }),
    await service.ask('review', 'GetReview', { application_key }),
  ];
  for (const { status } of answers) assert.equal(status.code, errors.UNKNOWN_APPLICATION.code, status.message);
});
