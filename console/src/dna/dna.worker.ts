import { errorCodes } from '@sosia/client/error-codes';
import { PlainPictureError, typeDefinitions } from '@sosia/engine';
import type { ApplicationType, Side } from '@sosia/engine';
import { pictureOf } from './picture-of.ts';

export interface DescribeRequest {
  readonly number: number;
  readonly file: Blob;
  readonly type: ApplicationType;
  readonly side: Side;
}

export type Described = { readonly number: number } & (
  { readonly dna: Uint8Array<ArrayBuffer> } | { readonly code: number; readonly fault: string }
);

/** The size to which the service reduces pictures while decoding, unless the application type uses more. */
const DECODED_SIDE = 1024;

const { NOT_A_PICTURE, NOT_ENOUGH_INFORMATION } = errorCodes;

addEventListener('message', ({ data }: MessageEvent<DescribeRequest>) => {
  void answer(data).then((described) => postMessage(described));
});

async function answer({ number, file, type, side }: DescribeRequest): Promise<Described> {
  const definition = typeDefinitions[type];
  const picture = await pictureOf(file, Math.max(DECODED_SIDE, definition.workingSize)).catch(() => undefined);
  if (!picture) return { number, code: NOT_A_PICTURE, fault: 'This browser cannot decode the picture' };
  try {
    return { number, dna: Uint8Array.from(definition.describe(picture, side)) };
  } catch (cause) {
    const plain = cause instanceof PlainPictureError;
    return { number, code: plain ? NOT_ENOUGH_INFORMATION : 0, fault: (cause as Error).message };
  }
}
