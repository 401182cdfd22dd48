import { fail } from '../errors.ts';
import { headers, success } from './envelope.ts';
import type { Plugin } from './plugin.ts';

/** For load balancers, whether the service accepts requests; for supervisors, whether the process answers. */
export const health: Plugin = (app, { context }, done) => {
  for (const url of ['/ready', '/readyz']) {
    app.get(url, async () => {
      if (context.stage !== 'running') throw fail('SHUTTING_DOWN');
      return success('No error', {});
    });
  }
  app.get('/healthz', async () => success('No error', {}));
  done();
};

/** The metrics in Prometheus' text format. */
export const exposition: Plugin = (app, { context: { metrics } }, done) => {
  app.get('/metrics', async () => {
    const type = { 'content-type': metrics.contentType };
    return { http: 200, code: 0, headers: { ...headers, ...type }, body: Buffer.from(await metrics.text()) };
  });
  done();
};
