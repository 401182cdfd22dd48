import { Presets, SingleBar } from 'cli-progress';
import { logLine } from './output.ts';

export interface Progress {
  step(): void;
  end(): void;
}

/** Progress on stderr: a bar on a terminal, elsewhere a line at each tenth. */
export function progress(what: string, total: number): Progress {
  return process.stderr.isTTY ? bar(what, total) : lines(what, total);
}

function bar(what: string, total: number): Progress {
  const format = `${what} {bar} {value}/{total}  {rate}/s  {eta_formatted} left`;
  const single = new SingleBar(
    { format, stream: process.stderr, hideCursor: true, barsize: 24 },
    Presets.shades_classic,
  );
  const started = performance.now();
  let done = 0;
  single.start(total, 0, { rate: '-' });
  return {
    step: () => single.update(++done, { rate: perSecond(done, started) }),
    end: () => single.stop(),
  };
}

function perSecond(done: number, started: number): string {
  const rate = done / Math.max((performance.now() - started) / 1000, 0.001);
  return rate < 10 ? rate.toFixed(1) : rate.toFixed(0);
}

function lines(what: string, total: number): Progress {
  let done = 0;
  return {
    step() {
      done++;
      const tenth = (n: number): number => Math.floor((10 * n) / total);
      if (tenth(done) > tenth(done - 1)) logLine(`${what} ${done}/${total}`);
    },
    end: () => {},
  };
}
