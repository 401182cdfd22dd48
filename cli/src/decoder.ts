import { Decoder } from '@sosia/server/decode/decoder';

/** Milliseconds for one task; generous, since no client waits. */
const PATIENCE = 60_000;

/** Works with a decode child that has its limits, as in the service; it ends with the work. */
export async function withDecoder<T>(work: (decoder: Decoder) => Promise<T>): Promise<T> {
  const decoder = await Decoder.start({ children: 1, waitLimit: PATIENCE, timeLimit: PATIENCE });
  try {
    return await work(decoder);
  } finally {
    await decoder.close();
  }
}
