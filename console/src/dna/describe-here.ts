import type { ApplicationType } from '@sosia/engine';
import { CallError } from '../api/call.ts';
import type { Described, DescribeRequest } from './dna.worker.ts';

let worker: Worker | undefined;
let requests = 0;
const waiting = new Map<number, { resolve: (dna: Blob) => void; reject: (cause: CallError) => void }>();

/** The DNA of a picture, made in a worker of this browser; the picture is not sent. Fails with `CallError`. */
export function describeHere(file: File, type: ApplicationType, side: 'reference' | 'query'): Promise<Blob> {
  worker ??= started();
  const request: DescribeRequest = { number: ++requests, file, type, side };
  worker.postMessage(request);
  return new Promise((resolve, reject) => waiting.set(request.number, { resolve, reject }));
}

/** The engine is large, so the worker is loaded with the first picture. */
function started(): Worker {
  const started = new Worker('dna.worker.js', { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<Described>) => {
    const { resolve, reject } = waiting.get(data.number)!;
    waiting.delete(data.number);
    if ('dna' in data) resolve(new File([data.dna], 'picture.dna'));
    else reject(new CallError(data.code, data.fault));
  };
  started.onerror = ({ message }) => {
    worker = undefined;
    for (const { reject } of waiting.values())
      reject(new CallError(0, `The browser cannot describe pictures: ${message}`));
    waiting.clear();
  };
  return started;
}
