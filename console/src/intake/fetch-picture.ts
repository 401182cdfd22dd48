import { errorCodes } from '@sosia/client/error-codes';
import { CallError, pictureAt } from '../api/call.ts';
import type { Fetched } from './fetch.worker.ts';

let worker: Worker | undefined;
let requests = 0;
const waiting = new Map<number, (fetched: Fetched) => void>();

/** The http or https address that a text is; undefined for any other text. */
export function addressIn(text: string): string | undefined {
  const first = text.trim().split(/\s+/);
  if (first.length !== 1 || !/^https?:\/\//i.test(first[0]!)) return undefined;
  return URL.canParse(first[0]!) ? first[0] : undefined;
}

/** The picture at an address, fetched by the browser, or else by the service. Fails with a `CallError` that says why there is none. */
export async function fetchPicture(address: string): Promise<File> {
  const picture = await inBrowser(address).catch(async (fault: unknown) => {
    try {
      return await pictureAt(address);
    } catch (cause) {
      throw (cause as CallError).code === errorCodes.FETCHING_OFF ? fault : cause;
    }
  });
  return new File([picture], nameOf(address), { type: picture.type });
}

async function inBrowser(address: string): Promise<Blob> {
  if (location.protocol === 'https:' && address.toLowerCase().startsWith('http:'))
    throw new CallError(0, 'A page with https cannot fetch a picture without it. Save the picture and drop the file.');
  worker ??= started();
  const number = ++requests;
  worker.postMessage({ number, address });
  const { picture, fault } = await new Promise<Fetched>((resolve) => waiting.set(number, resolve));
  if (!picture) throw new CallError(0, fault ?? '');
  return picture;
}

function started(): Worker {
  const started = new Worker('fetch.worker.js', { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<Fetched>) => {
    waiting.get(data.number)!(data);
    waiting.delete(data.number);
  };
  return started;
}

function nameOf(address: string): string {
  const { pathname, host } = new URL(address);
  return pathname.split('/').at(-1) || host;
}
