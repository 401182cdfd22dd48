import { openBrowser, photograph, signInTo, startStage, withoutBrowser, type Stage } from '@sosia/console/browser';
import { median, quantile } from '@sosia/testing/statistics';
import { benchmark, countOf } from '../harness/benchmark.ts';

const TYPE = 'media-matching';
const LOADS = 9;
const RESULTS = 1000;
/** Pixels that are scrolled with each frame. */
const STEP = 60;

type Browser = Awaited<ReturnType<typeof openBrowser>>;

export default benchmark({
  title: 'Console in Chromium without a GPU',
  kind: 'speed',
  about: 'Frames: while scrolling.',
  missing: typeof withoutBrowser === 'string' ? withoutBrowser : null,
  targets: { 'first load, compressed, kB': '<= 150', 'interactive, worst, ms': '<= 1000', 'frame, 95 %, ms': '<= 34' },
  options: {},
  size: () => ({ frame: `${countOf(RESULTS)} pictures`, describe: '24 pictures', '': `${LOADS} loads` }),
  measures: ['console', 'server/src/console'],
  async run() {
    const stage = await startStage();
    const browser = await openBrowser();
    try {
      const { kilobytes, interactive } = await firstLoad(browser, stage);
      const frames = await scrolling(browser, stage);
      const described = await describing(browser, stage);
      return {
        figures: {
          'first load, compressed, kB': kilobytes,
          'interactive, median, ms': median(interactive),
          'interactive, worst, ms': Math.max(...interactive),
          'frame, median, ms': median(frames),
          'frame, 95 %, ms': quantile(frames, 0.95),
          'frame, worst, ms': Math.max(...frames),
          'describe a query in the page, median, ms': median(described),
        },
      };
    } finally {
      await browser.close();
      await stage.close();
    }
  },
});

/** Bytes over the wire, and milliseconds from the start of the navigation until a key can be typed. */
async function firstLoad({ page }: Browser, { address }: Stage) {
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
  const interactive: number[] = [];
  for (let i = 0; i < LOADS; i++) {
    bytes = 0;
    await page.goto(address, { waitUntil: 'networkidle' });
    interactive.push(Number(await page.evaluate(() => document.documentElement.dataset['interactive'])));
  }
  await network.send('Network.setCacheDisabled', { cacheDisabled: false });
  return { kilobytes: bytes / 1000, interactive };
}

/** Milliseconds between frames while the whole list of results passes by. */
async function scrolling({ page }: Browser, stage: Stage): Promise<number[]> {
  const key = stage.key(TYPE, { nbResults: RESULTS });
  const pictures = await Promise.all(Array.from({ length: 24 }, (_, i) => photograph(i + 1)));
  for (const [i, picture] of pictures.entries()) await stage.add(key, `${i}`, { picture, keywords: ['all'] });
  const parameters = { application_key: key, image_id: '0' };
  const { dna } = ((await stage.modify('GetDnaById', parameters)) as { dna: { dna: string } }).dna;
  for (let i = pictures.length; i < RESULTS; i++) await stage.add(key, `${i}`, { dna, keywords: ['all'] });

  await signInTo(page, stage, key, '#pictures');
  await page.getByText('1,000 pictures').waitFor();
  return page.evaluate(async (step) => {
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
}

/** Milliseconds to describe a picture of 768 x 512 in the page's worker. */
async function describing({ page }: Browser, { address }: Stage): Promise<number[]> {
  await page.goto(address);
  const picture = (await photograph(3)).toString('base64');
  return page.evaluate(
    async ({ picture, type }) => {
      const blob = new Blob([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))]);
      const worker = new Worker('dna.worker.js', { type: 'module' });
      const times: number[] = [];
      for (let number = 0; number < 20; number++) {
        const begun = performance.now();
        worker.postMessage({ number, work: 'describe', picture: blob, type, side: 'query' });
        const { data } = await new Promise<MessageEvent<{ result?: object }>>(
          (resolve) => (worker.onmessage = resolve),
        );
        if (!data.result) throw new Error('the worker did not describe the picture');
        times.push(performance.now() - begun);
      }
      return times.slice(5); // the engine is compiled by then
    },
    { picture, type: TYPE },
  );
}
