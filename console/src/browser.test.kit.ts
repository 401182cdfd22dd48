import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formOf } from '@sosia/client/form';
import { samplesFolder } from '@sosia/fixtures';
import { createApplication, createLog, openApplicationStore, readConfig, startServer } from '@sosia/server';
import type { ServerOptions } from '@sosia/server';
import type { BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import type { ApplicationType } from '@sosia/engine';
import { consoleFolder } from './index.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine, or the one in the variable CHROMIUM. */
export const browserPath = [process.env['CHROMIUM'] ?? '', ...places].find((path) => existsSync(path));

/** The reason to skip a test if there is no browser. */
export const withoutBrowser = browserPath
  ? false
  : `no Chromium on this machine; looked for ${places.join(', ')} and $CHROMIUM`;

/** The service with its console on free ports, and its own data folder. */
export interface Stage {
  readonly address: string;
  /** The administrator's key that the first start made. */
  readonly administratorKey: string;
  readonly key: (type: ApplicationType, options?: { nbResults?: number }) => string;
  /** Adds pictures through the interface, like any client. */
  readonly add: (
    key: string,
    id: string,
    values: { picture?: Uint8Array; dna?: string; keywords?: string[] },
  ) => Promise<void>;
  readonly query: (operation: string, values: Record<string, string | Uint8Array>) => Promise<any>;
  readonly modify: (operation: string, values: Record<string, string | Uint8Array>) => Promise<any>;
  readonly review: (operation: string, values: Record<string, string | Uint8Array>) => Promise<any>;
  readonly administer: (operation: string, values: Record<string, string | Uint8Array>) => Promise<any>;
  readonly close: () => Promise<void>;
}

/** @param hosts  the setting `fetch_hosts` */
export async function startStage(hosts = 'off', options: ServerOptions = {}): Promise<Stage> {
  const data = await mkdtemp(join(tmpdir(), 'sosia-console-'));
  const ports = { modify_port: '0', query_port: '0', stop_grace: '0' };
  const workers = { search_workers: '1', decode_workers: '2' };
  const sources = { source_folders: tmpdir(), source_buckets: '*' };
  const flags = { data, ...ports, ...workers, fetch_hosts: hosts, ...sources };
  const folder = fileURLToPath(consoleFolder);
  const server = await startServer(readConfig({ flags }), createLog('silent'), { ...options, consoleFolder: folder });
  const store = openApplicationStore(data);

  const requesting =
    (port: number, family: string) =>
    async (operation: string, values: Record<string, string | Uint8Array | string[]>) => {
      const address = `http://127.0.0.1:${port}/api/v2.0/${family}/json/${operation}`;
      for (;;) {
        const response = await fetch(address, { method: 'POST', body: formOf(values) });
        if (response.status !== 503) return response.json();
        await sleep(1000); // as the answers of a busy service request
      }
    };
  const modify = requesting(server.modifyPort, 'enginemodify');
  return {
    address: `http://127.0.0.1:${server.modifyPort}/console/`,
    administratorKey: server.administratorKey!,
    key: (type, { nbResults = 10 } = {}) =>
      createApplication(store, { type, name: type, defaults: { nbResults, colorWeight: 50, retrievalThreshold: 1 } })
        .key,
    modify,
    query: requesting(server.queryPort, 'enginequery'),
    review: requesting(server.modifyPort, 'review'),
    administer: requesting(server.modifyPort, 'administration'),
    async add(key, id, { picture, dna, keywords = [] }) {
      const image = picture ? { image_content: picture } : { dna: dna! };
      const { status } = await modify('AddImage', { application_key: key, image_id: id, keywords, ...image });
      if (status.code !== 0) throw new Error(status.message);
    },
    async close() {
      await server.close();
      store.close();
      await rm(data, { recursive: true });
    },
  };
}

/** The bytes of a sample photograph, 1 to 24. */
export function photograph(number: number): Promise<Buffer> {
  return readFile(samplePath(number));
}

export function samplePath(number: number): string {
  return join(samplesFolder, `kodim${String(number).padStart(2, '0')}.jpg`);
}

/** A real browser with an empty profile and minimal features. */
export async function openBrowser(
  options: { viewport?: { width: number; height: number }; colorScheme?: 'light' | 'dark' } = {},
) {
  const profile = await mkdtemp(join(tmpdir(), 'sosia-browser-'));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath!,
    headless: true,
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    ...options,
  });
  context.setDefaultTimeout(120_000); // a failure fails at once; a long timeout tolerates a busy machine
  /** The faults of the page: errors of scripts, violations of the policy. */
  const faults: string[] = [];
  context.on('page', watch);
  const page = context.pages()[0] ?? (await context.newPage());
  watch(page);
  function watch(each: Page): void {
    each.on('pageerror', (error) => faults.push(String(error)));
    each.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  }
  return {
    page,
    faults,
    async close(): Promise<void> {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 20 }); // its last processes end a little later
    },
  };
}

export async function signInTo(page: Page, { address }: Stage, key: string, view = ''): Promise<void> {
  await page.goto(`${address}${view}`);
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
}

/** Set by `onStage`: the service, the browser, its page, and a folder for files. */
export let stage: Stage;
export let browser: Awaited<ReturnType<typeof openBrowser>>;
export let page: Page;
export let scratch: string;

/** For all tests of a file: one service and one browser. Each test begins with an empty, signed-out page. */
export function onStage(prepare = async (): Promise<void> => {}): void {
  if (withoutBrowser) return;
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'sosia-scratch-'));
    stage = await startStage();
    browser = await openBrowser();
    page = browser.page;
    await prepare();
  });
  beforeEach(async () => {
    await page.goto('about:blank'); // since another fragment of the same page would load nothing
    await page.context().clearCookies();
    browser.faults.splice(0);
  });
  after(async () => {
    await browser?.close();
    await stage?.close();
    await rm(scratch, { recursive: true });
  });
}

/** The key of an application with photographs; each has the keyword `odd` or `even`. */
export async function filled(type: ApplicationType, numbers: readonly number[]): Promise<string> {
  const key = stage.key(type);
  for (const number of numbers) {
    const picture = { picture: await photograph(number), keywords: [number % 2 ? 'odd' : 'even'] };
    await stage.add(key, `kodim/${number}.jpg`, picture);
  }
  return key;
}

export function inBrowser(name: string, work: (context: TestContext) => Promise<void>): void {
  test(name, { skip: withoutBrowser }, work);
}

/** Violations of axe-core's rules, as `rule: where`. */
export async function violations(): Promise<string[]> {
  const source = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
  await page.evaluate(source);
  await page.evaluate(() => {
    const ends = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(ends.map(({ finished }) => finished)); // what fades in has little contrast until then
  });
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
