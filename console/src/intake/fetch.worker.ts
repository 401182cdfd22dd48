/** Fetches a picture of another site, without cookies. Only this worker may contact other sites; the page may not. */
export interface Fetched {
  readonly number: number;
  readonly picture?: Blob;
  /** Why there is no picture, for people. */
  readonly fault?: string;
}

addEventListener('message', ({ data: { number, address } }: MessageEvent<{ number: number; address: string }>) => {
  void fetched(address).then((result) => postMessage({ number, ...result }));
});

async function fetched(address: string): Promise<Omit<Fetched, 'number'>> {
  const { host } = new URL(address);
  try {
    const init: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' };
    const response = await fetch(address, init);
    if (!response.ok) return { fault: `${host} answered ${response.status} to this address.` };
    const picture = await response.blob();
    if (/^text\/|json/.test(picture.type)) return { fault: `This address of ${host} is a page, not a picture.` };
    return { picture };
  } catch {
    const reason = `${host} cannot be reached, or does not let other pages read its pictures`;
    return { fault: `${reason}. Save the picture and drop the file here instead.` };
  }
}
