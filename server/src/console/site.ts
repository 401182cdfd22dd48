import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Answer } from '../http/envelope.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
};

/** Nothing inline, nothing from other sites, no embedding in frames. Pictures of the user are blobs. */
const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' blob: data:`,
  `connect-src 'self'`,
  `worker-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/**
 * Workers have policies of their own. The one that describes pictures may run WebAssembly and has no network. The one
 * that fetches a pasted address may contact other sites; the page itself may not.
 */
const workerPolicies: Record<string, string> = {
  'dna.worker.js': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'`,
  'fetch.worker.js': `default-src 'none'; script-src 'self'; connect-src http: https:`,
};

export const guardHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

interface Page {
  readonly type: string;
  readonly policy: string;
  readonly etag: string;
  readonly plain: Uint8Array;
  /** Undefined for pictures, which are compressed already. Made when it is first wanted. */
  readonly gzip: () => Uint8Array | undefined;
}

/** The files of a folder, in memory, plain and compressed. */
export class Site {
  readonly #pages: Map<string, Page>;

  /** @throws if the folder is unreadable or has no index.html */
  constructor(folder: string) {
    const names = readdirSync(folder).filter((name) => extname(name) in types);
    this.#pages = new Map(names.map((name) => [name, pageOf(name, readFileSync(join(folder, name)))]));
    if (!this.#pages.has('index.html')) throw new Error(`expected index.html in ${folder}`);
  }

  /** Undefined for a name that the folder does not have. Names have no slashes, so that no path leads out of it. */
  answer(name: string, headers: IncomingHttpHeaders): Answer | undefined {
    const page = this.#pages.get(name);
    if (!page) return undefined;

    const common = {
      ...guardHeaders,
      'content-security-policy': page.policy,
      'cache-control': 'no-cache',
      etag: page.etag,
      vary: 'accept-encoding',
    };
    if (headers['if-none-match'] === page.etag) return { http: 304, headers: common, body: new Uint8Array() };
    const packed = /\bgzip\b/.test(headers['accept-encoding'] ?? '') ? page.gzip() : undefined;
    return {
      http: 200,
      headers: { ...common, 'content-type': page.type, ...(packed && { 'content-encoding': 'gzip' }) },
      body: packed ?? page.plain,
    };
  }
}

function pageOf(name: string, plain: Buffer): Page {
  let gzip: Uint8Array | undefined;
  const digest = createHash('sha256').update(plain).digest('base64url');
  return {
    type: types[extname(name)]!,
    policy: workerPolicies[name] ?? policy,
    etag: `W/"${digest}"`,
    plain,
    gzip: () => (extname(name) === '.jpg' ? undefined : (gzip ??= gzipSync(plain, { level: 9 }))),
  };
}
