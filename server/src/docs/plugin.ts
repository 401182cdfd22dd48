import { headers } from '../http/envelope.ts';
import type { Answer } from '../http/envelope.ts';
import type { Plugin } from '../http/plugin.ts';
import { htmlOf } from './markdown.ts';
import { openapiDocument } from './openapi.ts';
import { referencePages } from './pages.ts';
import { policy, shell } from './shell.ts';

type PageName = keyof typeof referencePages;

const prefix = '/docs';
const method = ['GET', 'HEAD'];
const titles: Record<PageName, string> = {
  api: 'The interface',
  errors: 'Errors',
  config: 'Settings',
  metrics: 'Metrics',
};
const names = Object.keys(referencePages) as PageName[];
const addressOf = (name: PageName): string => (name === 'api' ? prefix : `${prefix}/${name}`);
const addresses = names.map((name): [string, string] => [addressOf(name), titles[name]]);

/** The reference pages at /docs, without external resources; and the OpenAPI document for programs. */
export const documentation: Plugin = (app, { context }, done) => {
  for (const name of names) {
    const handler = async (): Promise<Answer> => ({
      http: 200,
      code: 0,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
      body: page(name),
    });
    app.route({ method, url: addressOf(name), handler });
  }
  const document = async (): Promise<Answer> => ({
    http: 200,
    code: 0,
    headers,
    body: Buffer.from(JSON.stringify(openapiDocument(context))),
  });
  app.route({ method, url: '/openapi.json', handler: document });
  done();
};

const made = new Map<PageName, Uint8Array>();

/** Made when it is first read. */
function page(name: PageName): Uint8Array {
  const known = made.get(name);
  if (known) return known;
  const { html, headings } = htmlOf(referencePages[name](), href);
  const body = Buffer.from(shell(titles[name], html, headings, addresses));
  made.set(name, body);
  return body;
}

/** Links between the pages; other files of docs/ are not served. */
function href(target: string): string | undefined {
  const [, name, rest = ''] = /^(\w+)\.md(#.*)?$/.exec(target) ?? [];
  const known = names.find((each) => each === name);
  return known && addressOf(known) + rest;
}
