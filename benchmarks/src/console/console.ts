import { openBrowser, photograph, signInTo, startStage, withoutBrowser } from '@sosia/console/browser';
import type { Stage } from '@sosia/console/browser';
import { Decoder } from '@sosia/server/decode';
import { machine } from '@sosia/testing/machine';
import { median, quantile } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';

const TYPE = 'media-matching';
const LOADS = 9;
const RESULTS = 1000;
/** Pixels that are scrolled with each frame. */
const STEP = 60;

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Row = [what: string, measured: string, target: string, held: string];

if (withoutBrowser) console.log(`console: skipped, ${withoutBrowser}`);
else await measure();

async function measure(): Promise<void> {
  console.log(`## Console: in Chromium without a GPU, over the loopback\n\n${machine()}\n`);
  const stage = await startStage();
  const browser = await openBrowser();
  try {
    const rows = [...(await firstLoad(browser, stage)), ...(await scrolling(browser, stage))];
    console.log(table(['what', 'measured', 'target', 'held'], rows));
    console.log(`\n${table(['cost', 'median', '95 %'], [await describing(browser, stage), ...(await thumbnails())])}`);
  } finally {
    await browser.close();
    await stage.close();
  }
}

/** Bytes over the wire, and milliseconds from the start of the navigation to a key that can be typed. */
async function firstLoad({ page }: Browser, { address }: Stage): Promise<Row[]> {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector('input[name=application_key]')) return;
      seen.disconnect();
      document.documentElement.dataset['interactive'] = String(performance.now());
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  const times: number[] = [];
  for (let i = 0; i < LOADS; i++) {
    bytes = 0;
    await page.goto(address, { waitUntil: 'networkidle' });
    times.push(Number(await page.evaluate(() => document.documentElement.dataset['interactive'])));
  }
  await network.send('Network.setCacheDisabled', { cacheDisabled: false });
  const [slowest, kilobytes] = [Math.max(...times), bytes / 1000];
  return [
    ['first load, KB compressed', figure(kilobytes, 1), '<= 150', held(kilobytes <= 150)],
    [
      'interactive, ms, median and worst',
      `${figure(median(times), 0)}, ${figure(slowest, 0)}`,
      '<= 1000',
      held(slowest <= 1000),
    ],
  ];
}

/** Frames while the whole list of results passes by. */
async function scrolling({ page }: Browser, stage: Stage): Promise<Row[]> {
  const key = stage.key(TYPE, { nbResults: RESULTS });
  const pictures = await Promise.all(Array.from({ length: 24 }, (_, i) => photograph(i + 1)));
  for (const [i, picture] of pictures.entries()) await stage.add(key, `${i}`, { picture, keywords: ['all'] });
  const { dna } = (await stage.modify('GetDnaById', { application_key: key, image_id: '0' })).dna;
  for (let i = pictures.length; i < RESULTS; i++) await stage.add(key, `${i}`, { dna, keywords: ['all'] });

  await signInTo(page, stage, key, '#pictures');
  await page.getByText('1,000 pictures').waitFor();
  const gaps = await page.evaluate(async (step) => {
    const gaps: number[] = [];
    let last = await new Promise<number>(requestAnimationFrame);
    while (scrollY + innerHeight < document.documentElement.scrollHeight - 1) {
      scrollBy(0, step);
      const now = await new Promise<number>(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
    return gaps;
  }, STEP);
  const late = gaps.filter((gap) => gap > 50).length / gaps.length;
  const words = `${figure(median(gaps), 1)}, ${figure(quantile(gaps, 0.95), 1)}, ${figure(Math.max(...gaps), 0)}`;
  return [
    [
      `frames while 1,000 pictures scroll by (${gaps.length}), ms: median, 95 %, worst`,
      words,
      '95 % <= 34',
      held(quantile(gaps, 0.95) <= 34),
    ],
    ['… of them later than 50 ms', `${figure(late * 100, 1)} %`, '', ''],
  ];
}

/** A picture of 768 x 512 described in the page's worker. */
async function describing({ page }: Browser, { address }: Stage): Promise<Cell[]> {
  await page.goto(address);
  const picture = (await photograph(3)).toString('base64');
  const times = await page.evaluate(
    async ({ picture, type }) => {
      const file = new Blob([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))]);
      const worker = new Worker('dna.worker.js', { type: 'module' });
      const times: number[] = [];
      for (let number = 0; number < 20; number++) {
        const begun = performance.now();
        worker.postMessage({ number, file, type, side: 'query' });
        await new Promise((resolve) => (worker.onmessage = resolve));
        times.push(performance.now() - begun);
      }
      return times.slice(5); // the engine is compiled by then
    },
    { picture, type: TYPE },
  );
  return ['describe a query in the browser, ms', figure(median(times), 0), figure(quantile(times, 0.95), 0)];
}

/** What a thumbnail adds to the work of AddImage, in turn with the work without it. */
async function thumbnails(): Promise<Cell[][]> {
  const decoder = await Decoder.start({ children: 1 });
  const [plain, kept, sizes]: number[][] = [[], [], []];
  for (let round = 0; round < 3; round++) {
    for (let i = 1; i <= 24; i++) {
      const picture = await photograph(i);
      plain!.push(await timed(() => decoder.describe(picture, TYPE, 'reference')));
      kept!.push(
        await timed(async () => {
          const { thumbnail } = await decoder.keep(picture, TYPE);
          sizes!.push(thumbnail.length);
        }),
      );
    }
  }
  await decoder.close();
  const row = (what: string, values: number[], digits: number): Cell[] => [
    what,
    figure(median(values), digits),
    figure(quantile(values, 0.95), digits),
  ];
  return [
    row('decode and describe a reference, ms', plain!, 1),
    row('the same with a thumbnail, ms', kept!, 1),
    row('a thumbnail, bytes', sizes!, 0),
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function held(is: boolean): string {
  return is ? 'yes' : '**no**';
}
