import { addressOf, type Operation, type Parameter } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { HttpContext } from './context.ts';
import type { HeldBytes } from './held-bytes.ts';
import { administrators, type RequestParameters } from './request-parameters.ts';

/**
 * Fetches the pictures whose addresses a request has, as if it had brought them as files. Fails with REPEATED_PARAMETER
 * where it brings one, too.
 */
export async function fetchPictures(
  { parameters: { properties } }: Operation,
  parameters: RequestParameters,
  context: HttpContext,
): Promise<void> {
  const { raw, caller } = parameters;
  for (const [name, parameter] of Object.entries(properties)) {
    const from = addressOf(parameter);
    if (from === undefined) continue;
    const address = raw.text(from);
    if (!address) continue;
    const { alias = name, or = name } = parameter as Parameter<'file'>;
    const also = raw.file(name) ? name : raw.file(alias) ? alias : raw.text(or) && or;
    if (also) throw fail('REPEATED_PARAMETER', `${also} and ${from}`);
    raw.addFile(name, await fetchPicture(address, parameters.holdFetched(), caller!.application, context));
  }
}

/** The bytes at an address, counted in `held`. Fails as `Fetcher.fetch` does, or with OVERLOADED. */
export async function fetchPicture(
  address: string,
  held: HeldBytes,
  holder: object = administrators,
  { fetcher, fetches, limits: { fetchedBytes: maxBytes } }: Pick<HttpContext, 'fetcher' | 'fetches' | 'limits'>,
): Promise<Uint8Array> {
  fetches.take(1, holder);
  try {
    await fetcher.fetch(address, { maxBytes, take: (piece) => held.append(piece, maxBytes) });
    return held.bytes;
  } finally {
    fetches.giveBack(1, holder);
  }
}
