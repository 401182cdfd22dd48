import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  step(): void;
  end(): void;
}

/** Progress on stderr: a bar on a terminal, elsewhere a line at each tenth. */
export function progress(what: string, total: number): Progress {
  return process.stderr.isTTY ? bar(what, total) : lines(what, total);
}

function bar(what: string, total: number): Progress {
  const format = `${what} {bar} {value}/{total}`;
  const single = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  single.start(total, 0);
  return { step: () => single.increment(), end: () => single.stop() };
}

function lines(what: string, total: number): Progress {
  let done = 0;
  return {
    step() {
      done++;
      const tenth = (n: number): number => Math.floor((10 * n) / total);
      if (tenth(done) > tenth(done - 1)) process.stderr.write(`${what} ${done}/${total}\n`);
    },
    end: () => {},
  };
}
